// Bundles the programs of the server that tests change from within (see in-one-file.mjs): a start then reads some thirty files
// instead of a thousand. Does nothing when they are current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundlePrograms } from '../../scripts/bundle.mjs';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = 'dist/.cache/tested';
const PROGRAMS = ['crash-points', 'trusting-owner'].map((name) => `test/support/${name}.mjs`);
const STAMP = join(ROOT, FOLDER, 'inputs');

const made = ['dist/.cache/inputs.sha256', 'test/support/program-modules.mjs', ...PROGRAMS];
const inputs = made.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n');
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== inputs) {
  await bundlePrograms(ROOT, PROGRAMS, FOLDER);
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  writeFileSync(STAMP, inputs);
}
