#!/usr/bin/env node
import { existsSync } from 'node:fs';

// In a clone the program is there once it is built; npx finds a command before.
const program = new URL('../dist/server/main.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write(
    'stakeport is not built yet. Wait for the build that runs in another shell, or type: npm run build\n',
  );
  process.exitCode = 69;
}
