// Bundles the programs that tests start: a start then reads some thirty files instead of a thousand. Does nothing when they are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundlePrograms } from '../../scripts/bundle.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'dist/.cache/tested';
const STAMP = join(ROOT, FOLDER, 'inputs');
/** Run in place of the server's own program, whose modules they change. */
const SERVERS = ['crash-points', 'trusting-owner'].map((name) => `test/support/${name}.mjs`);
const PROGRAMS = ['sql/programs/hold-ledger', 'sql/programs/killed-groups', 'tape/programs/record-tape'].map(
  (name) => `test/adapters/${name}.ts`,
);

const made = [
  'dist/.cache/inputs.sha256',
  'test/support/bundle-programs.mjs',
  'test/support/program-modules.mjs',
  ...SERVERS,
  ...PROGRAMS,
];
const inputs = made.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');

/** The built server, with this program in the place of its own. */
const serverOf = (path) => {
  const inPlace = { name: 'program', setup: ({ onResolve }) => onResolve({ filter: /\/program\.js$/ }, resolved) };
  const resolved = ({ path: asked }) => (asked === './program/program.js' ? { path: join(ROOT, path) } : undefined);
  return bundlePrograms(ROOT, [{ in: 'dist/server/main.js', out: nameOf(path) }], FOLDER, { plugins: [inPlace] });
};
const nameOf = (path) => path.replace(/^.*\/|\.\w+$/g, '');

if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== inputs) {
  for (const path of SERVERS) await serverOf(path);
  await bundlePrograms(
    ROOT,
    PROGRAMS.map((path) => ({ in: path, out: nameOf(path) })),
    FOLDER,
  );
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  writeFileSync(STAMP, inputs);
}
