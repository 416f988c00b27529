import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/cli.js';
import { EXIT } from '../../src/server/failures/exit.js';
import { VARIABLES } from '../../src/server/settings/settings.js';
import { startApp } from '../support/app.js';
import { ROOT } from '../support/build.js';
import { anchorsOf, fenced, linksOf, PAGES } from '../support/pages.js';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Variables of other programs. */
const FOREIGN = ['DOCS', 'TRANSCRIPTS', 'TEST_POSTGRES_URL', 'CHROMIUM_PATH', 'SOAK', 'NODE_OPTIONS', 'BASE', 'KEY'];
const COMMANDS = (await createProgram()).commands.map((command) => command.name());

describe.each([...PAGES.keys()])('%s', (path) => {
  it('has no broken link to a file or an anchor', () => {
    const links = linksOf(path);
    expect(links.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
    const parts = links.filter(({ anchor }) => anchor !== '');
    expect(parts.filter(({ file, anchor }) => !anchorsOf(file).includes(anchor))).toEqual([]);
  });

  it('names no missing file of the source', () => {
    const named = [...(PAGES.get(path) ?? '').matchAll(/`((?:src|test|examples|bench|docs|scripts)\/[\w./-]+)`/g)];
    const files = named.map(([, file = '']) => file.replace(/\.$/, ''));
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('names no function that its file lacks', () => {
    const rows = [...(PAGES.get(path) ?? '').matchAll(/^\| .* \| `(src\/[\w/.-]+\.ts)` \| `(#?\w+)` \|$/gm)];
    const has = (file: string, name: string) =>
      new RegExp(`(function |async |^  |const )${name}\\b`, 'm').test(readFileSync(join(ROOT, file), 'utf8'));
    const lost = rows.filter(([, file = '', name = '']) => !existsSync(join(ROOT, file)) || !has(file, name));
    expect(lost.map(([row]) => row)).toEqual([]);
  });

  it('shows shell blocks that parse, with existing settings, commands and scripts', () => {
    for (const { text } of fenced(path, 'sh')) {
      execFileSync('sh', ['-n'], { input: text });
      const settings = [...text.matchAll(/(?:^|[\s;(])([A-Z][A-Z_]{2,})=/g)].map(([, name = '']) => name);
      expect(settings.filter((name) => !isKnown(name))).toEqual([]);
      const commands = [...text.matchAll(/npx stakeport ([\w-]+)/g)].map(([, name = '']) => name);
      expect(commands.filter((name) => !COMMANDS.includes(name))).toEqual([]);
      const asked = [...text.matchAll(/npm run (?:-s |--silent )?([\w:]+)/g)].map(([, name = '']) => name);
      expect(asked.filter((name) => !(name in scripts))).toEqual([]);
    }
  });
});

const isKnown = (name: string): boolean => FOREIGN.includes(name) || (VARIABLES as readonly string[]).includes(name);

it('README.md is short enough to be read', () => {
  expect((PAGES.get('README.md') ?? '').split('\n').length).toBeLessThanOrEqual(130);
});

it('docs/operating.md lists every exit code', () => {
  const page = PAGES.get('docs/operating.md') ?? '';
  expect(Object.values(EXIT).filter((code) => !page.includes(`\n| ${code} |`))).toEqual([]);
});

it('docs/api.md lists every route', async () => {
  const app = await startApp({ authenticator: 'keys' });
  const { paths } = (await app.client.get('/openapi.json')).json();
  const page = (PAGES.get('docs/api.md') ?? '').replaceAll('`…/book?token=`', '`/v1/exchange/markets/{id}/book?`');
  const listed = [...page.matchAll(/(\/[\w/{}.]+)/g)].map(([, path]) => path);
  expect(Object.keys(paths as object).length).toBeGreaterThan(15);
  const lost = Object.keys(paths as object).filter((path) => !listed.includes(path));
  expect(lost).toEqual([]);
});

it('docs/architecture.md names every folder of the source, to the second level', () => {
  const page = PAGES.get('docs/architecture.md') ?? '';
  const below = (folder: string) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  const folders = below('src').flatMap((name) => [[name], ...below(`src/${name}`).map((inner) => [name, inner])]);
  const isNamed = ([name, inner]: readonly string[]) =>
    inner === undefined
      ? page.includes(`\`src/${name}`)
      : page.split('\n').some((line) => line.includes(`src/${name}`) && new RegExp(`[\`/]${inner}\``).test(line));
  expect(folders.length).toBeGreaterThan(30);
  expect(folders.filter((folder) => !isNamed(folder))).toEqual([]);
});

it('.ci/run runs the commands of the pages', () => {
  const script = readFileSync(join(ROOT, '.ci/run'), 'utf8');
  for (const command of [
    'npm ci',
    'npm run lint',
    'npm run types',
    'npm test',
    'npm run test:crash',
    'npm run test:ui',
    'bash scripts/carried-chromium.sh',
  ])
    expect(script).toContain(command);
});
