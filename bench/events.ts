import { randomBytes } from 'node:crypto';
import { freshSqliteFile } from '../test/support/databases.js';
import { benchPostgres } from './bench-postgres.js';
import { type Running, stakeport, start } from './contenders.js';
import type { Figure } from './figures.js';
import { Followers } from './followers.js';
import { Load, type Slice } from './load.js';
import { interleaved, type Part, type PartOptions, table } from './rounds.js';
import { compared, LOAD_HEAD, loadCells, ORDER } from './under-load.js';

const ACCOUNTS = 64;
const PROBES = 100;
const PROBE_MS = 20;
const IDLE = 1000;
const MANY = { STREAMS_PER_KEY: '2000', STREAMS_PER_ACCOUNT: '2000', STREAMS_MAX: '2000' };
const HOOKS = {
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};

/** Who follows while orders are placed; the first is what the others are compared with. */
const ROWS: readonly Row[] = [
  { name: 'nobody', streams: 0, accounts: '' },
  { name: '100 streams of accounts that rest', streams: 100, accounts: 'resting' },
  { name: '100 streams of the accounts that trade', streams: 100, accounts: 'account' },
  {
    name: '200 streams that read nothing of a long log',
    streams: 200,
    accounts: 'heavy',
    stalled: true,
  },
  { name: '10 webhooks of the accounts that trade', streams: 0, accounts: 'account', webhooks: 10 },
  { name: 'nobody, without SECRETS_KEY', streams: 0, accounts: '', isPlain: true },
];

interface Row {
  readonly name: string;
  readonly streams: number;
  readonly accounts: string;
  readonly stalled?: boolean;
  readonly webhooks?: number;
  /** At a server that can have no webhooks. */
  readonly isPlain?: boolean;
}

/** Orders to a server while clients follow its events, how long an event takes to them, and what a stream costs. */
export const events: Part = async (options) => {
  const [load, followers, postgres] = [new Load(), new Followers(), await benchPostgres()];
  const [file, other] = [freshSqliteFile(), freshSqliteFile()];
  const servers: Running[] = [];
  try {
    const alone = await start(stakeport('SQLite', file.url, { ...MANY, ...HOOKS }));
    servers.push(alone);
    const plain = await start(stakeport('SQLite, without SECRETS_KEY', other.url, MANY));
    servers.push(plain);
    const idle = await bytesOfStream(alone, followers);
    const slices = await besideStreams({ alone, plain }, load, followers, options);
    const shared = await postgres.database();
    for (const name of ['one', 'two']) servers.push(await start(stakeport(name, shared, MANY)));
    const [url = '', one = '', two = ''] = [alone, ...servers.slice(2)].flatMap(({ urls }) => urls);
    const waits = [
      await waited('to a stream of the same server, SQLite', url, url, followers, options),
      await waited('to a stream of the same server, Postgres', one, one, followers, options),
      await waited('to a stream of the other server, Postgres', one, two, followers, options),
    ];
    const first = slices(ROWS[0]?.name ?? '');
    const rows = ROWS.map(({ name }) => [name, ...loadCells(slices(name), first)]);
    const figures = ROWS.slice(1).map(({ name }) => compared(`${name}, × nobody`, null, slices(name), first));
    const title = `Orders on SQLite while clients follow: ${options.connections} connections. ${load.said}`;
    const text = `${title}\n\n${table(['', ...LOAD_HEAD], rows)}`;
    return { text, figures: [...figures, ...waits.flat(), idle] };
  } finally {
    load.stop();
    followers.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
    for (const one of [file, other]) one.remove();
  }
};

async function besideStreams(
  { alone, plain }: Readonly<Record<'alone' | 'plain', Running>>,
  load: Load,
  followers: Followers,
  options: PartOptions,
) {
  const run = async (row: Row, seconds: number): Promise<Slice> => {
    const { urls, pids } = row.isPlain === true ? plain : alone;
    const [url = ''] = urls;
    const { accounts, webhooks = 0 } = row;
    await followers.ask({ kind: 'open', url, ...row });
    await followers.ask({ kind: 'hook', url, webhooks, accounts });
    const { connections } = options;
    const slice = await load.slice(
      { name: row.name, urls, pids },
      { ...ORDER, accounts: ACCOUNTS, connections, seconds },
    );
    await followers.ask({ kind: 'close' });
    return slice;
  };
  for (const row of ROWS) await run(row, 1);
  return interleaved(
    ROWS.map((row) => ({ name: row.name, run: () => run(row, options.seconds) })),
    options.rounds,
  );
}

/** From the commit of an order to its event, while nothing else is done. */
async function waited(
  name: string,
  at: string,
  followedAt: string,
  followers: Followers,
  { rounds }: PartOptions,
): Promise<Figure[]> {
  const shares = { p50: 0.5, p99: 0.99 };
  const found: Record<keyof typeof shares, number[]> = { p50: [], p99: [] };
  for (let round = 0; round < rounds; round += 1) {
    const { waits } = await followers.ask({ kind: 'waits', at, followedAt, count: PROBES, everyMs: PROBE_MS });
    await followers.ask({ kind: 'close' });
    const sorted = waits.toSorted((a, b) => a - b);
    for (const share of ['p50', 'p99'] as const)
      found[share].push(1000 * (sorted[Math.floor(sorted.length * shares[share])] ?? Number.NaN));
  }
  return (['p50', 'p99'] as const).map((share) => {
    return { name: `from commit ${name}, ${share}`, unit: 'µs', aim: null, rounds: found[share], byProcessorTime: [] };
  });
}

async function bytesOfStream(server: Running, followers: Followers): Promise<Figure> {
  const [url = ''] = server.urls;
  await followers.ask({ kind: 'open', url, streams: 100, accounts: 'resting' });
  const before = await server.rssMb();
  await followers.ask({ kind: 'open', url, streams: IDLE, accounts: 'resting' });
  const rounds = [((await server.rssMb()) - before) * (1024 / IDLE)];
  await followers.ask({ kind: 'close' });
  return { name: 'memory of the server for a stream', unit: 'KB', aim: null, rounds, byProcessorTime: [] };
}
