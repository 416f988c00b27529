// Checks the types of everything, of the core alone without Node, and of the dashboard: side by side, since each takes one processor.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');

const checked = (project) =>
  new Promise((resolve) => {
    const run = spawn(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said = [];
    run.stdout.on('data', (part) => said.push(part));
    run.on('close', (code) => resolve({ code, said: Buffer.concat(said).toString() }));
  });

const results = await Promise.all(['tsconfig.json', 'tsconfig.core.json', 'src/ui'].map(checked));
for (const { said } of results) process.stdout.write(said);
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0;
