import knexModule, { type Knex } from 'knex';
import type { Client } from 'pg';
import { postgresDialect } from './columns.js';
import { askUntilKnown, type CommitMark, hasLanded } from './commit-outcome.js';
import { StorageFault } from './fault.js';
import { POSTGRES_WRITING, WriteProof, writingNow } from './health.js';
import { PostgresAnnouncements } from './postgres-announcements.js';
import { isConnectionLost, isDefinite, kindOf } from './postgres-errors.js';
import { PostgresGuarded } from './postgres-guarded.js';
import { dispose, type Pooled, PostgresPool } from './postgres-pool.js';
import { nameOf, PostgresTransaction } from './postgres-transaction.js';
import { QUIET } from './quiet.js';
import type { BoundStatement, Reads, RunStatement, RunStatements, Store, Transaction } from './store.js';
import { WriterName } from './writer-name.js';

/** How a server is used. */
export interface PostgresOptions {
  /** Most connections at once, besides those for credentials. */
  readonly poolSize: number;
  /** Whether the server is to refuse every change. */
  readonly readOnly?: boolean;
  /** Longest wait for a connection, new or of the pool. */
  readonly connectMs?: number | undefined;
}

/** Connections for credentials: a lookup is short, and with two, one that opens slowly does not block all lookups. */
const CREDENTIAL_READERS = 2;
const CONNECT_MS = 2000;
/** Above the server's own limits: only a connection that died silently gets this far. */
const SILENCE_MS = 8000;
/** A migration may rewrite large tables, and wait for another process that does. */
const SCHEMA_MS = 600_000;
/** An arbitrary but fixed number: it names the schema of this program. */
const SCHEMA_LOCK = 5_207_146_301;

/** A server that stands still within a transaction lets others wait for its locks as long as a lease lasts: then it has lost that anyway. */
const IDLE = "set idle_in_transaction_session_timeout = '5s'";
const LIMITS = `set statement_timeout = '5s'; set lock_timeout = '2s'; ${IDLE}`;
/** An operator may require more than a commit on disk, but not less. */
const DURABLE = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
/** Without it, the database names a version whenever a row is written: see the migration of versions. */
const NAMES_VERSIONS = `set stakeport.names_versions = 'on'`;
const READ_ONLY = 'set default_transaction_read_only = on';
/**
 * Ways to find rows that a connection does not use, as Postgres names them. Every statement here finds its rows by an index. A
 * connection keeps its plans: without this it may keep one that was made while a table was small, and from then on read the
 * whole table, once for each page. Sorting stays: a plan that cannot do without would look so expensive that it is compiled.
 */
export const UNUSED_METHODS = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'] as const;
/** Compiling a statement of this program takes seconds, which no timeout ends, and running it takes milliseconds. */
const PLANS = ['jit', ...UNUSED_METHODS.map((method) => `enable_${method}`)]
  .map((way) => `set ${way} = off`)
  .join('; ');
/** Explicit, because a database can have another default: at a stricter level, reads would be from before the lock. */
const BEGIN = 'begin isolation level read committed';
/** All of its statements see what the first one saw. */
const BEGIN_READING = 'begin isolation level repeatable read read only';

/** Connects on first use to the server that the URL names. */
export function openPostgres(
  url: string,
  { poolSize, readOnly = false, connectMs = CONNECT_MS }: PostgresOptions,
): Store {
  const settings = `${LIMITS}; ${PLANS}; ${NAMES_VERSIONS}; ${readOnly ? READ_ONLY : DURABLE}`;
  const pool = (size: number) => poolOf(url, size, { settings, connectMs });
  return new PostgresStore(pool(poolSize), pool(CREDENTIAL_READERS), readOnly);
}

function poolOf(
  connectionString: string,
  size: number,
  { settings, connectMs }: { readonly settings: string; readonly connectMs: number },
): Knex {
  return knexModule.knex({
    client: 'pg',
    connection: {
      connectionString,
      application_name: 'stakeport',
      connectionTimeoutMillis: connectMs,
      query_timeout: SILENCE_MS,
      keepAlive: true,
    },
    acquireConnectionTimeout: connectMs,
    log: QUIET,
    compileSqlOnError: false,
    pool: {
      min: 0,
      max: size,
      afterCreate: (connection: Client, done: (error?: unknown) => void) => {
        connection.query(settings).then(() => done(), done);
      },
    },
  });
}

class PostgresStore implements Store {
  readonly dialect = postgresDialect;
  readonly reader: Knex;
  readonly reads: PostgresPool;
  readonly credentialReads: PostgresPool;
  /** The settings for statements and plans mean nothing to it. */
  readonly announcements = new PostgresAnnouncements(() => this.credentialReader.client.acquireRawConnection());
  readonly #proof = new WriteProof(() => this.writer.raw(POSTGRES_WRITING, writingNow()));
  readonly #writer = new WriterName();
  readonly guarded = new PostgresGuarded(
    (use) => this.#connected(use),
    this.#writer,
    () => this.#proof.renew(),
  );

  constructor(
    readonly writer: Knex,
    readonly credentialReader: Knex,
    private readonly readOnly: boolean,
  ) {
    this.reader = writer;
    this.reads = new PostgresPool(writer);
    this.credentialReads = new PostgresPool(credentialReader);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const outcome = await this.#attempt(work);
    if (!outcome.doubtful) this.#proof.renew();
    if (!outcome.doubtful) return outcome.result;
    const landed = () => this.#connected((client) => hasLanded(client, outcome.mark));
    if (await askUntilKnown(landed)) return outcome.result;
    throw new StorageFault('conflict', outcome.cause);
  }

  batch(statements: readonly BoundStatement[]): Promise<boolean> {
    return this.#connected(async (client) => {
      try {
        await client.query(BEGIN);
        let isFirst = true;
        for (const { sql: text, values } of statements) {
          const { rowCount } = await client.query({ name: nameOf(text), text, values: [...values] });
          if (isFirst && rowCount === 0) break;
          isFirst = false;
        }
        await client.query('commit');
        return !isFirst;
      } catch (error) {
        await abandon(client, error);
        throw error;
      }
    });
  }

  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    return this.#connected(async (client) => {
      try {
        await client.query(BEGIN_READING);
        const result = await work(new PostgresTransaction(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await abandon(client, error);
        throw error;
      }
    });
  }

  alone(work: (run: RunStatement, runAll: RunStatements) => Promise<void>): Promise<void> {
    return this.#connected(async (client) => {
      const patient = { query_timeout: SCHEMA_MS };
      const run: RunStatement = async (text) => (await client.query({ ...patient, text })).rows;
      await run(BEGIN);
      try {
        await run(`set local lock_timeout = ${SCHEMA_MS}; set local statement_timeout = ${SCHEMA_MS}`);
        // Ends with the transaction, so that a killed process leaves no lock behind.
        await run(`select pg_advisory_xact_lock(${SCHEMA_LOCK})`);
        await work(run, async (statements) => void (await run(statements.join(';\n'))));
        await run('commit');
      } catch (error) {
        await abandon(client, error);
        throw error;
      }
    });
  }

  /** Backups of Postgres are the operator's. */
  async copyBefore(): Promise<null> {
    return null;
  }

  judge(error: unknown): StorageFault {
    return error instanceof StorageFault ? error : new StorageFault(kindOf(error), error);
  }

  async probe(): Promise<void> {
    await (this.readOnly ? this.reader.raw('select 1') : this.#proof.ask());
  }

  check(): void {}

  async close(): Promise<void> {
    await Promise.all([this.writer.destroy(), this.credentialReader.destroy()]);
  }

  #attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<Outcome<T>> {
    return this.#connected(async (client) => {
      const [, version] = this.#writer.next();
      const tx = new PostgresTransaction(client, version);
      let result: T;
      try {
        await client.query(BEGIN);
        result = await work(tx);
      } catch (error) {
        await abandon(client, error);
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

  async #connected<T>(use: (client: Pooled) => Promise<T>): Promise<T> {
    try {
      return await this.reads.connected(use);
    } catch (error) {
      this.#proof.doubt();
      throw this.judge(error);
    }
  }
}

type Outcome<T> =
  | { readonly doubtful: false; readonly result: T }
  | { readonly doubtful: true; readonly result: T; readonly mark: CommitMark | null; readonly cause: unknown };

/** Ends a transaction that failed. A connection that is lost is closed: the server rolls back when it goes. */
async function abandon(client: Pooled, cause: unknown): Promise<void> {
  if (isConnectionLost(cause)) return dispose(client, cause);
  await client.query('rollback').catch((error: unknown) => dispose(client, error));
}
