import pg from 'pg';
import { startPostgres } from '../test/support/postgres.js';
import { BARE, insertEach, type Running, stakeport, start } from './contenders.js';
import { atLeast } from './figures.js';
import { createKey, WITH_KEYS } from './keys.js';
import { Load } from './load.js';
import { type Part, table } from './rounds.js';
import { compared, LOAD_HEAD, type Loaded, loadCells, ORDER, underLoad } from './under-load.js';

/** A Postgres that syncs its commits, with several databases. */
export interface BenchPostgres {
  /** A new, empty database. */
  database(): Promise<string>;
  /** The processes of the server now; none where it runs on another machine. */
  pids(): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts one, or uses that of BENCH_POSTGRES_URL, where its databases stay. */
export async function benchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres(process.env['BENCH_POSTGRES_URL'], true);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const isHere = ['127.0.0.1', 'localhost', ''].includes(new URL(server.url).hostname);
  let made = 0;
  return {
    async database() {
      const name = `bench_${Date.now()}_${made++}`;
      await client.query(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = name;
      return url.href;
    },
    async pids() {
      if (!isHere) return [];
      const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity');
      return rows.map(({ pid }) => pid);
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

const DEV = 'stakeport, Postgres';
const KEYS = 'stakeport, Postgres, API keys, an idempotency key each';

/** Durable orders over HTTP on Postgres, with the processor time of its backends. */
export const postgres: Part = async (options) => {
  const database = await benchPostgres();
  const load = new Load(() => database.pids());
  const servers: Running[] = [];
  try {
    const withKeys = await database.database();
    const headers = await createKey(withKeys);
    const each = insertEach(await database.database());
    const all = [BARE, each, stakeport('Postgres', await database.database()), stakeport(KEYS, withKeys, WITH_KEYS)];
    for (const contender of all) servers.push(await start(contender));
    const loaded = servers.map((target): Loaded => {
      const isKeyed = target.name.endsWith(KEYS);
      const name = isKeyed ? KEYS : target.name;
      return { name, target, requests: isKeyed ? { ...ORDER, headers, newKeys: true } : ORDER };
    });
    const slices = await underLoad(load, loaded, options);
    const rows = loaded.map(({ name }) => [name, ...loadCells(slices(name), slices(BARE.name))]);
    const figures = [
      compared('durable order, Postgres, × bare node:http', atLeast(0.2), slices(DEV), slices(BARE.name)),
      compared('durable order, Postgres, × one insert each by Knex', atLeast(1.2), slices(DEV), slices(each.name)),
      compared('API keys and idempotency keys, Postgres, × dev mode', null, slices(KEYS), slices(DEV)),
    ];
    const title = `Orders over HTTP on Postgres: ${options.connections} connections. ${load.said}`;
    return { text: `${title}\n\n${table(['server', ...LOAD_HEAD], rows)}`, figures };
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await database.stop();
  }
};
