import { setTimeout as delay } from 'node:timers/promises';
import knexModule, { type Knex } from 'knex';
import type { Client } from 'pg';
import { type CommitMark, hasLanded } from './commit-outcome.js';
import { postgresDialect } from './dialect.js';
import { StorageFault } from './fault.js';
import { isDefinite, kindOf } from './postgres-errors.js';
import { PostgresTransaction } from './postgres-transaction.js';
import { QUIET } from './quiet.js';
import type { RunStatement, Store, Transaction } from './store.js';

/** How a server is used. */
export interface PostgresOptions {
  /** Most connections at once. */
  readonly poolSize: number;
}

/** A wait for a connection, new or of the pool. */
const CONNECT_MS = 2000;
/** Above the server's own limits: only a connection that died in silence gets this far. */
const SILENCE_MS = 8000;
const LIMITS = `set statement_timeout = '5s'; set lock_timeout = '2s'; set idle_in_transaction_session_timeout = '10s'`;
/**
 * Every statement here finds its rows by an index. A connection keeps its plans, and without this it may keep one that
 * was made while a table was empty, which reads the whole table ever after.
 */
const PLANS = 'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off';
/** Past the idle limit above: by then the server has ended whatever transaction a lost connection left behind. */
const RESOLVE_MS = 12_000;
const RESOLVE_STEP_MS = 100;
/** Any number will do, as long as it is always the same: it names the schema of this program. */
const SCHEMA_LOCK = 5_207_146_301;

/** Connects on first use to the server that the URL names. */
export function openPostgres(url: string, { poolSize }: PostgresOptions): Store {
  return new PostgresStore(pool(url, poolSize));
}

function pool(connectionString: string, size: number): Knex {
  return knexModule.knex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: 'stakeport',
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    },
    acquireConnectionTimeout: CONNECT_MS,
    log: QUIET,
    pool: {
      min: 0,
      max: size,
      afterCreate: (connection: Client, done: (error?: unknown) => void) => {
        connection.query(`${LIMITS}; ${PLANS}`).then(() => done(), done);
      },
    },
  });
}

/** A connection of the pool; Knex does not hand out again one that carries the mark. */
type Pooled = Client & { __knex__disposed?: unknown };

class PostgresStore implements Store {
  readonly dialect = postgresDialect;
  readonly reader: Knex;

  constructor(readonly writer: Knex) {
    this.reader = writer;
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const outcome = await this.#attempt(work);
    if (!outcome.doubtful) return outcome.result;
    if (await this.#resolve(outcome.mark)) return outcome.result;
    throw new StorageFault('conflict', outcome.cause);
  }

  alone(work: (run: RunStatement) => Promise<void>): Promise<void> {
    return this.#connected(async (client) => {
      await client.query('begin');
      try {
        // The first of several that start together may take its time; the lock ends with the transaction.
        await client.query(`set local lock_timeout = '60s'; set local statement_timeout = '60s'`);
        await client.query(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
        await work(async (sql) => (await client.query(sql)).rows);
        await client.query('commit');
      } catch (error) {
        await rollback(client);
        throw error;
      }
    });
  }

  judge(error: unknown): StorageFault {
    return error instanceof StorageFault ? error : new StorageFault(kindOf(error), error);
  }

  async probe(): Promise<void> {
    const { rows } = await this.reader.raw(`select current_setting('transaction_read_only') as read_only`);
    if (rows[0]?.read_only !== 'off') throw new Error('the Postgres server takes no writes');
  }

  close(): Promise<void> {
    return this.writer.destroy();
  }

  #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<Outcome<T>> {
    return this.#connected(async (client) => {
      const tx = new PostgresTransaction(client);
      let result: T;
      try {
        await client.query('begin');
        result = await work(tx);
      } catch (error) {
        await rollback(client);
        throw error;
      }
      try {
        await client.query('commit');
        return { doubtful: false, result };
      } catch (cause) {
        if (isDefinite(cause)) throw cause;
        dispose(client, cause);
        return { doubtful: true, result, mark: tx.mark, cause };
      }
    });
  }

  /** Whether a commit that got no answer took place. @throws StorageFault when that cannot be told. */
  async #resolve(mark: CommitMark | null): Promise<boolean> {
    const until = performance.now() + RESOLVE_MS;
    for (;;) {
      const landed = await this.#connected((client) => hasLanded(client, mark)).catch((fault: StorageFault) => fault);
      if (landed === true || landed === false) return landed;
      if (performance.now() > until || landed === 'never known') throw new StorageFault('unavailable', landed);
      await delay(RESOLVE_STEP_MS);
    }
  }

  async #connected<T>(use: (client: Client) => Promise<T>): Promise<T> {
    try {
      const client: Pooled = await this.writer.client.acquireConnection();
      try {
        return await use(client);
      } finally {
        await this.writer.client.releaseConnection(client);
      }
    } catch (error) {
      throw this.judge(error);
    }
  }
}

type Outcome<T> =
  | { readonly doubtful: false; readonly result: T }
  | { readonly doubtful: true; readonly result: T; readonly mark: CommitMark | null; readonly cause: unknown };

/** A connection that cannot even roll back is not used again; the server rolls back when it goes. */
async function rollback(client: Pooled): Promise<void> {
  await client.query('rollback').catch((error: unknown) => dispose(client, error));
}

function dispose(client: Pooled, cause: unknown): void {
  client.__knex__disposed ??= cause;
}
