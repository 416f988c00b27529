import pg from 'pg';
import { startPostgres } from '../test/support/postgres.js';

/** A Postgres that syncs its commits, with several databases. */
export interface BenchPostgres {
  /** A new, empty database. */
  database(): Promise<string>;
  /** The processes of the server now; none where it runs on another machine. */
  pids(): Promise<number[]>;
  /** Written to its log since it began. */
  logBytes(): Promise<number>;
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
    async logBytes() {
      const lsn = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`;
      return (await client.query<{ bytes: number }>(lsn)).rows[0]?.bytes ?? Number.NaN;
    },
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}
