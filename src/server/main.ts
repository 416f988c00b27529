#!/usr/bin/env node
import inspector from 'node:inspector';
import module from 'node:module';
import { EXIT } from './failures/exit.js';

// Node's own listener opens an inspector that obeys any client. What takes time to load comes after this.
process.on('SIGUSR1', () => {});
closeInspector();
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // As with `| head`: a reader that stops early is not a failure.
  if (code === 'EPIPE') return;
  process.exitCode ||= EXIT.unavailable;
  const words = 'The command may have taken effect: check before you repeat it.';
  process.stderr.write(`stakeport could not print all of its output (${code}). ${words}\n`);
});
endWithoutFolder();

// Of Node 22.8 and later: what was compiled once is not compiled at the next start.
if ('enableCompileCache' in module) (module as { enableCompileCache: () => void }).enableCompileCache();
// A command hears a few answers. To optimise what parses them, one large function of WebAssembly, took longer than all else that it does.
const [, , command = 'serve'] = process.argv;
if (/^(?!serve$|demo$)[a-z]/.test(command)) (await import('node:v8')).setFlagsFromString('--liftoff-only');
const { runCommandLine } = await import('./program/program.js');
closeInspector();
await runCommandLine(process.argv.slice(2));

/** Where a release was replaced under a shell, packages fail with messages of their own. */
function endWithoutFolder(): void {
  try {
    process.cwd();
  } catch {
    process.stderr.write('The working directory no longer exists: change to one that does. Nothing was done.\n');
    process.exit(EXIT.config);
  }
}

/** Closes the inspector that a signal opened before our listener existed; one requested on the command line stays. */
function closeInspector(): void {
  const asked = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--inspect'));
  if (!asked && inspector.url() !== undefined) inspector.close();
}
