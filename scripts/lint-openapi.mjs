// Has Redocly and Spectral examine the document of a server with every route: `npm run lint:openapi`. Any warning fails.
// They bring 200 packages, so they are no development dependency: they are installed beside the project on first use.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FOLDER = join(ROOT, 'node_modules/.cache/lint-openapi');
const PACKAGES = ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3'];
const bin = (name) => join(FOLDER, 'node_modules/.bin', name);

function install() {
  if (existsSync(bin('redocly')) && existsSync(bin('spectral'))) return;
  console.error(`Installing ${PACKAGES.join(' and ')} in ${FOLDER}, once.`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'package.json'), '{ "private": true }\n');
  const flags = ['--save-exact', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', ['install', ...flags, ...PACKAGES], { cwd: FOLDER, stdio: 'inherit' });
}

/** The document of a server with keys, sessions and webhooks: nothing of it is left out. */
async function documentOf() {
  const { PATH, HOME } = process.env;
  const data = mkdtempSync(join(tmpdir(), 'stakeport-lint-'));
  const secret = () => randomBytes(32).toString('base64');
  const env = {
    PATH,
    HOME,
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: `sqlite:${data}/lint.db`,
    AUTH_MODE: 'keys',
    KEY_PEPPER: secret(),
    SECRETS_KEY: secret(),
  };
  const server = spawn(process.execPath, [join(ROOT, 'dist/server/main.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const [, url] = /listening on (\S+)/.exec(line) ?? [];
      if (url !== undefined) return await (await fetch(`${url}/openapi.json`)).text();
    }
    throw new Error('The server did not start.');
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(data, { recursive: true, force: true });
  }
}

install();
const file = join(FOLDER, 'openapi.json');
writeFileSync(file, await documentOf());
const ruleset = join(FOLDER, 'spectral.yaml');
writeFileSync(ruleset, 'extends: spectral:oas\n');
const examine = (name, args) => execFileSync(bin(name), args, { stdio: 'inherit' });
examine('redocly', ['lint', '--max-problems', '1000', file]);
examine('spectral', ['lint', '--ruleset', ruleset, '--fail-severity', 'warn', file]);
