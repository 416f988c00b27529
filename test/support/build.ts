import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The folder of this checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Brings `dist/` up to date. Resolves with the compiler's output when it failed, else with the empty string. */
export function build(): Promise<string> {
  const script = resolve(ROOT, 'scripts/build.mjs');
  return new Promise((done) => {
    execFile(process.execPath, [script], { cwd: ROOT }, (error, stdout, stderr) => {
      done(error === null ? '' : `${stdout}${stderr}` || error.message);
    });
  });
}
