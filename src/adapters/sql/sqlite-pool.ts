import type { Knex } from 'knex';
import type sqlite3 from 'sqlite3';
import { textIn } from './columns.js';
import { SqliteConnection } from './sqlite-connection.js';
import type { Ask, Statements } from './store.js';

/** The connections of a pool, each with its statements prepared once. */
export class SqlitePool implements Statements {
  readonly #connections = new Map<sqlite3.Database, SqliteConnection>();

  constructor(private readonly pool: Knex) {}

  /** Runs `work` on a connection of its own. */
  async connected<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    const raw: sqlite3.Database = await this.pool.client.acquireConnection();
    try {
      return await work(this.#connection(raw));
    } finally {
      await this.pool.client.releaseConnection(raw);
    }
  }

  using<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.connected((connection) =>
      work(async (sql, ...bindings) => {
        // As Knex reports its own statements: a listener of the pool hears all of them.
        this.pool.emit('query', { sql, bindings });
        const [row = {}] = await connection.all(sql, ...bindings);
        return textIn(Object.values(row)[0] as string);
      }),
    );
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
