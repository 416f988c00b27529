#!/usr/bin/env node
import inspector from 'node:inspector';
import { EXIT } from './failures/exit-codes.js';

// Node's own listener opens an inspector that obeys whoever connects. What takes time to load comes after this.
process.on('SIGUSR1', () => {});
closeInspector();
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // As with `| head`: who has read enough is no reason to fail.
  if (code === 'EPIPE') return;
  process.exitCode ||= EXIT.unavailable;
  const words = 'What it was asked to do may be done: look before you do it again.';
  process.stderr.write(`stakeport could not print all that it had to say (${code}). ${words}\n`);
});
endWithoutFolder();

await import('reflect-metadata');
const { hideSecrets } = await import('./settings/hidden-secrets.js');
hideSecrets();
const { runCommandLine } = await import('../cli/cli.js');
closeInspector();
await runCommandLine(process.argv.slice(2));

/** Where a release was replaced under a shell, packages fail in words of their own. */
function endWithoutFolder(): void {
  try {
    process.cwd();
  } catch {
    process.stderr.write('The working directory is gone: change to one that is there. Nothing was done.\n');
    process.exit(EXIT.config);
  }
}

/** Closes what a signal opened before there was a listener for it; what the command line asked for stays. */
function closeInspector(): void {
  const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'));
  if (!asked && inspector.url() !== undefined) inspector.close();
}
