/**
 * Durable orders a second, as ratios: every contender gets a slice in every round, the order turns round each time, and a
 * ratio is taken within its round, so that a noisy machine moves both sides alike. `npm run bench -- --rounds 9`
 */
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { startPostgres } from '../test/support/postgres.js';
import { contenders, type Running, start } from './contenders.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
  },
});
const rounds = Number(values.rounds);
const connections = Number(values.connections);
const order = { market_id: 'bench-market', token: 'YES', price: 0.52, size_usdc: 1 };

interface Slice {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

async function slice(server: Running, duration: number): Promise<Slice> {
  const result = await autocannon({
    url: `${server.url}/v1/exchange/orders`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
    connections,
    duration,
  });
  const { requests, latency, non2xx, errors } = result;
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors };
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;

function table(
  servers: readonly Running[],
  slices: ReadonlyMap<string, readonly Slice[]>,
  idle: ReadonlyMap<string, number>,
): string {
  const of = (name: string) => slices.get(name) ?? [];
  const ratio = (name: string, base: string) =>
    median(of(name).map((s, i) => s.perSecond / (of(base)[i]?.perSecond ?? Number.NaN))).toFixed(2);
  const rows = servers.map(({ name, startMs }) => {
    const own = of(name);
    const failed = own.reduce((sum, s) => sum + s.failed, 0);
    const speed = median(own.map((s) => s.perSecond)).toFixed(0);
    const p50 = median(own.map((s) => s.p50)).toFixed(1);
    const p99 = median(own.map((s) => s.p99)).toFixed(1);
    const against = name.endsWith('Postgres') ? ratio(name, 'one insert each, Postgres') : '';
    const cells = [
      name,
      speed,
      ratio(name, 'bare node:http'),
      against,
      p50,
      p99,
      failed,
      startMs.toFixed(0),
      idle.get(name)?.toFixed(0),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head = '| server | orders/s | x bare | x insert each | p50 ms | p99 ms | failed | start ms | idle MB |';
  return [head, '|---|---|---|---|---|---|---|---|---|', ...rows].join('\n');
}

const postgres = await startPostgres(process.env['BENCH_POSTGRES_URL'], true);
const { all, cleanUp } = await contenders(postgres.url);
const servers: Running[] = [];
try {
  for (const contender of all) servers.push(await start(contender));
  const idle = new Map<string, number>();
  for (const server of servers) idle.set(server.name, await server.rssMb());
  for (const server of servers) await slice(server, 1);
  const slices = new Map<string, Slice[]>(servers.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const server of round % 2 === 0 ? servers : [...servers].reverse()) {
      slices.get(server.name)?.push(await slice(server, Number(values.seconds)));
    }
  }
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, Node ${process.version}`;
  console.log(
    `${machine}; ${connections} connections, ${rounds} rounds of ${values.seconds} s, medians of paired ratios\n`,
  );
  console.log(table(servers, slices, idle));
} finally {
  await Promise.all(servers.map((server) => server.stop()));
  await cleanUp();
  await postgres.stop();
}
