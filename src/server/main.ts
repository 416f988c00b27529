#!/usr/bin/env node
import { EXIT } from './exit-codes.js';

// Node's own listener opens an inspector that obeys whoever connects. What takes time to load comes after this.
process.on('SIGUSR1', () => {});
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // As with `| head`: who has read enough is no reason to fail.
  if (code === 'EPIPE') return;
  process.exitCode ||= EXIT.unavailable;
  process.stderr.write(`stakeport could not print all that it had to say (${code}).\n`);
});

await import('reflect-metadata');
const { hideSecrets } = await import('./hidden-secrets.js');
hideSecrets();
const { createProgram } = await import('./cli.js');
await createProgram().parseAsync();
