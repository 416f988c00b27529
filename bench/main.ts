/**
 * Measures all parts one after another, or the named ones: `npm run bench -- orders reads`. Every number of a table is the
 * median of its rounds, and every ratio the median of the ratios of single rounds, so that noise of the machine affects both
 * sides alike. With `--json`, standard output gets one JSON document with every round of every figure, and the tables go to
 * standard error.
 */
import { parseArgs } from 'node:util';
import { build } from '../test/support/build.js';
import { FIGURE_HEAD, type Findings, figureRows } from './figures.js';
import { machine, machineLine } from './machine.js';
import type { Report } from './report.js';
import { type Part, type PartOptions, table } from './rounds.js';

/** Loaded once `dist/` is current, to measure the shipped code and not what tsx makes of it. */
const PARTS: Readonly<Record<string, () => Promise<Part>>> = {
  orders: async () => (await import('./orders.js')).orders,
  postgres: async () => (await import('./postgres.js')).postgres,
  servers: async () => (await import('./two-servers.js')).twoServers,
  reads: async () => (await import('./reads.js')).reads,
  page: async () => (await import('./page-reads.js')).pageReads,
  start: async () => (await import('./start-up.js')).startUp,
  events: async () => (await import('./events.js')).events,
  stream: async () => (await import('./stream.js')).stream,
  fairness: async () => (await import('./fairness.js')).fairness,
  engine: async () => (await import('./engine.js')).engine,
  backtest: async () => (await import('./backtest.js')).backtests,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    orders: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
  },
});
const known = Object.keys(PARTS);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`unknown part ${unknown.join(', ')}; the parts are ${known.join(', ')}`);

const failure = await build();
if (failure !== '') throw new Error(`dist/ is not built:\n${failure}`);
const options: PartOptions = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  orders: Number(values.orders),
};
const say = values.json ? console.error : console.log;
const date = new Date().toISOString();
const parts: Record<string, Findings> = {};
const before = await machine();
say(`${machineLine(before)}, ${options.rounds} rounds`);
for (const name of positionals.length === 0 ? known : positionals) {
  const part = await PARTS[name]?.();
  const findings = await part?.(options);
  if (findings === undefined) continue;
  parts[name] = findings;
  say(`\n${findings.text}`);
  if (findings.figures.length > 0) say(`\n${table(FIGURE_HEAD, figureRows(findings.figures))}`);
}
// The load average at the end tells whether others were at work meanwhile.
const report: Report = { date, machine: { ...before, load: (await machine()).load }, options, parts };
if (values.json) console.log(JSON.stringify(report, null, 1));
