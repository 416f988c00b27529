/**
 * Runs commands of a built program one after the other in one process, which loads the program once: it is told of each by a message, as
 * `fixed-time.mjs` is, and answers with what it wrote and how it ended.
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

// With a channel to its parent, time would stand still until the parent lets it pass, as for a server.
const answer = process.send.bind(process);
process.send = undefined;
const { beginAt } = await import('./fixed-time.mjs?0xnothing');
const { runCommandLine } = await import(pathToFileURL(join(dirname(process.argv[2]), 'program/program.js')).href);
const { env, exit } = process;

/** Takes what is written to a stream meanwhile. */
function caught(stream) {
  const parts = [];
  stream.write = (part, encoding, done) => {
    parts.push(Buffer.from(part, typeof encoding === 'string' ? encoding : 'utf8'));
    process.nextTick(typeof encoding === 'function' ? encoding : (done ?? (() => {})));
    return true;
  };
  return () => Buffer.concat(parts).toString();
}

process.on('message', async ({ args, variables, cwd, at, seed }) => {
  beginAt(at, seed);
  for (const name of Object.keys(env)) delete env[name];
  Object.assign(env, variables);
  process.chdir(cwd);
  process.argv.splice(1, process.argv.length, process.argv[1], ...args);
  process.exitCode = undefined;
  const [stdout, stderr] = [process.stdout, process.stderr].map(caught);
  const listeners = new Map(process.eventNames().map((name) => [name, process.listeners(name)]));
  const ended = new Promise((resolve) => {
    process.exit = (code) => {
      process.exitCode = code ?? process.exitCode;
      resolve();
      throw new Error('The command has ended');
    };
  });
  await Promise.race([ended, runCommandLine(args).catch(() => ended)]);
  for (const name of process.eventNames())
    for (const listener of process.listeners(name))
      if (!listeners.get(name)?.includes(listener)) process.off(name, listener);
  answer({ code: process.exitCode ?? 0, stdout: stdout(), stderr: stderr() });
});
process.once('disconnect', () => exit());
