import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** The folder of this checkout. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Brings `dist/` up to date, and the programs of tests. Resolves with the words of what failed, else with the empty string. */
export async function build(): Promise<string> {
  return (await run('scripts/build.mjs')) || (await run('test/support/bundle-programs.mjs'));
}

function run(script: string): Promise<string> {
  return new Promise((done) => {
    execFile(process.execPath, [resolve(ROOT, script)], { cwd: ROOT }, (error, stdout, stderr) => {
      done(error === null ? '' : `${stdout}${stderr}` || error.message);
    });
  });
}
