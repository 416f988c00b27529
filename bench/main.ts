/**
 * Measures all parts one after another, or the named ones: `npm run bench -- matching tape`. Every number of a table is the
 * median of its rounds, and every ratio the median of the ratios of single rounds, so that noise of the machine affects both
 * sides alike.
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { build } from '../test/support/build.js';
import type { Part } from './rounds.js';

/** Loaded once `dist/` is current, to measure the shipped code and not what tsx makes of it. */
const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  matching: async () => (await import('./matching.js')).matching,
  tape: async () => (await import('./tape.js')).tape,
  memory: async () => (await import('./memory.js')).memory,
  orders: async () => (await import('./orders.js')).orders,
  signing: async () => (await import('./signing.js')).signing,
  live: async () => (await import('./live.js')).live,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
});
const known = Object.keys(PARTS);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(', ')}; the parts are ${known.join(', ')}`);

const failure = await build();
if (failure !== '') throw new Error(`dist/ is not built:\n${failure}`);
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
};
console.log(
  `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}, ${options.rounds} rounds`,
);
for (const name of positionals.length === 0 ? known : positionals) {
  const part = await PARTS[name]?.();
  console.log(`\n${await part?.(options)}`);
}
