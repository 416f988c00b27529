import autocannon from 'autocannon';
import { startPostgres } from '../test/support/postgres.js';
import { contenders, type Running, start } from './contenders.js';
import { interleaved, median, type Part, ratio, table } from './rounds.js';

const order = { market_id: 'bench-market', token: 'YES', price: 0.52, size_usdc: 1 };

interface Slice {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

type Slices = (name: string) => readonly Slice[];

async function slice(server: Running, connections: number, duration: number): Promise<Slice> {
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

function row({ name, startMs }: Running, slices: Slices, idleMb: number | undefined): string[] {
  const own = slices(name);
  const against = (base: string) => ratio(speeds(own), speeds(slices(base))).toFixed(2);
  return [
    name,
    median(speeds(own)).toFixed(0),
    against('bare node:http'),
    name.endsWith('Postgres') ? against('one insert each, Postgres') : '',
    median(own.map(({ p50 }) => p50)).toFixed(1),
    median(own.map(({ p99 }) => p99)).toFixed(1),
    `${own.reduce((sum, { failed }) => sum + failed, 0)}`,
    startMs.toFixed(0),
    `${idleMb?.toFixed(0)}`,
  ];
}

const speeds = (slices: readonly Slice[]): number[] => slices.map(({ perSecond }) => perSecond);

/** Durable orders a second over HTTP: the bare upper limit, a plain insert, and the service on each store. */
export const orders: Part = async ({ rounds, seconds, connections }) => {
  const postgres = await startPostgres(process.env['BENCH_POSTGRES_URL'], true);
  const { all, cleanUp } = await contenders(postgres.url);
  const servers: Running[] = [];
  try {
    for (const contender of all) servers.push(await start(contender));
    const idle = new Map<string, number>();
    for (const server of servers) idle.set(server.name, await server.rssMb());
    for (const server of servers) await slice(server, connections, 1);
    const loaded = servers.map((server) => ({ name: server.name, run: () => slice(server, connections, seconds) }));
    const slices = await interleaved(loaded, rounds);
    const head = ['server', 'orders/s', 'x bare', 'x insert each', 'p50 ms', 'p99 ms', 'failed', 'start ms', 'idle MB'];
    const rows = servers.map((server) => row(server, slices, idle.get(server.name)));
    return `Orders over HTTP: ${connections} connections, slices of ${seconds} s\n\n${table(head, rows)}`;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await cleanUp();
    await postgres.stop();
  }
};
