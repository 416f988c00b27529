import type { Knex } from 'knex';
import type { Client } from 'pg';
import { textIn } from './columns.js';
import { isConnectionLost } from './postgres-errors.js';
import { nameOf } from './postgres-transaction.js';
import type { Ask, BoundStatement, Statements } from './store.js';

/** A connection of a pool; Knex does not reuse one with this mark. */
export type Pooled = Client & { __knex__disposed?: unknown };

/** The connections of a pool, each with its statements prepared once. */
export class PostgresPool implements Statements {
  constructor(private readonly pool: Knex) {}

  /** Runs `work` on a connection of its own. */
  async connected<T>(work: (client: Pooled) => Promise<T>): Promise<T> {
    const client: Pooled = await this.pool.client.acquireConnection();
    try {
      return await work(client);
    } finally {
      await this.pool.client.releaseConnection(client);
    }
  }

  using<T>(work: (ask: Ask) => Promise<T>): Promise<T> {
    return this.connected((client) => work((sql, ...bindings) => this.#ask(client, sql, bindings)));
  }

  made<T extends object>({ sql, values }: BoundStatement, make: (text: string) => T): Promise<T> {
    return this.using(async (ask) => make(await ask(sql, ...values)));
  }

  async #ask(client: Pooled, sql: string, bindings: readonly (string | number)[]): Promise<string> {
    // As Knex reports its own statements: a listener of the pool hears all of them.
    this.pool.emit('query', { sql, bindings });
    try {
      const { rows } = await client.query<[string]>({
        name: nameOf(sql),
        text: sql,
        values: [...bindings],
        rowMode: 'array',
      });
      return textIn(rows[0]?.[0]);
    } catch (error) {
      if (isConnectionLost(error)) dispose(client, error);
      throw error;
    }
  }
}

/** Takes a connection that is lost out of its pool. */
export function dispose(client: Pooled, cause: unknown): void {
  client.__knex__disposed ??= cause;
  // The connection is broken already; how it ends does not matter.
  client.end().catch(() => {});
}
