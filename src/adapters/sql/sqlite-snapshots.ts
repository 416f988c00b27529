import type { Knex } from 'knex';
import type sqlite3 from 'sqlite3';
import { SqliteConnection } from './sqlite-connection.js';
import { SqliteReads } from './sqlite-transaction.js';
import type { Reads } from './store.js';

/** Snapshots of a file on connections of a pool, each with its statements prepared once. */
export class SqliteSnapshots {
  readonly #connections = new Map<sqlite3.Database, SqliteConnection>();

  constructor(private readonly pool: Knex) {}

  /** After its first read, a transaction keeps that view, regardless of later commits. */
  async take<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    const raw: sqlite3.Database = await this.pool.client.acquireConnection();
    try {
      const connection = this.#connection(raw);
      await connection.all('begin');
      try {
        return await work(new SqliteReads(connection));
      } finally {
        await connection.all('rollback');
      }
    } finally {
      await this.pool.client.releaseConnection(raw);
    }
  }

  /** Finalizes every statement: SQLite does not close a connection that has any. */
  async finalize(): Promise<void> {
    await Promise.all([...this.#connections.values()].map((connection) => connection.finalize()));
  }

  #connection(raw: sqlite3.Database): SqliteConnection {
    const known = this.#connections.get(raw) ?? new SqliteConnection(raw);
    this.#connections.set(raw, known);
    return known;
  }
}
