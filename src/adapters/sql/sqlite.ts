import { existsSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Knex } from 'knex';
import knexModule from 'knex';
import type sqlite3 from 'sqlite3';
import { sqliteDialect } from './columns.js';
import { DatabaseMissing } from './database-gone.js';
import { DatabaseUnusable } from './database-unusable.js';
import { StorageFault } from './fault.js';
import { SQLITE_WRITING, WriteProof, writingNow } from './health.js';
import { type Lock, lockDatabase } from './lock.js';
import { QUIET } from './quiet.js';
import {
  configure,
  Outdated,
  prepareTransactions,
  SqliteConnection,
  SqliteTransaction,
  sortingInFiles,
  UnlockedTransaction,
} from './sqlite-connection.js';
import { copyBefore } from './sqlite-copy.js';
import { sqliteDriver } from './sqlite-driver.js';
import { faultOf } from './sqlite-errors.js';
import { SqliteFiles } from './sqlite-files.js';
import { SqlitePool } from './sqlite-pool.js';
import { sqliteSnapshot } from './sqlite-snapshot.js';
import type { BoundStatement, Reads, RunStatement, RunStatements, Store, Transaction } from './store.js';

/** The first bytes of a SQLite database; an empty file is one too. */
export const MAGIC = 'SQLite format 3\0';

const MEMORY = ':memory:';

/** How a file is opened. */
export interface SqliteOptions {
  /** Whether to lock other servers out of the file. */
  readonly exclusive: boolean;
  /** Whether to create the file when it does not exist. */
  readonly create: boolean;
}

/**
 * Opens a database file, which is created if missing, unlike its folder, or `:memory:`. An exclusive opener also notices
 * when its files are taken away.
 * @throws DatabaseUnusable, DatabaseMissing, and DatabaseInUse when it is opened exclusively and another server has it
 */
export async function openSqlite(path: string, { exclusive, create }: SqliteOptions): Promise<Store> {
  await sqliteDriver();
  const memory = path === MEMORY;
  const file = memory ? MEMORY : await existing(path, create);
  const lock = exclusive && !memory ? await lockDatabase(file) : null;
  const held = lock === null ? null : () => new SqliteFiles(resolve(path), file);
  return new SqliteStore(file, sqlitePools(file, memory), lock, held);
}

/** The real path, the same for every name of the file; a new file is readable by its owner only. */
async function existing(path: string, create: boolean): Promise<string> {
  if (!create && !existsSync(path)) throw new DatabaseMissing(`${path} does not exist`);
  const there = await stat(path).catch(() => null);
  // A folder is refused by the system, with its own message.
  if (there !== null && !there.isFile() && !there.isDirectory()) throw new DatabaseUnusable(notAFile(path));
  const file = await open(path, 'a+', 0o600);
  const { nlink } = await file.stat();
  const { bytesRead, buffer } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
  await file.close();
  // Before any file is created beside it.
  if (bytesRead > 0 && buffer.toString('latin1') !== MAGIC) throw new DatabaseUnusable(notADatabase(path));
  // The lock and the log are named after the file: under two names, two servers would not notice each other.
  if (nlink > 1) throw new DatabaseUnusable(`${path} has more than one hard link; keep the database under one name.`);
  return realpath(path);
}

class SqliteStore implements Store {
  readonly dialect = sqliteDialect;
  readonly writer: Knex;
  readonly reader: Knex;
  readonly credentialReader: Knex;
  readonly #connections = new Map<sqlite3.Database, SqliteConnection>();
  readonly #proof = new WriteProof(() =>
    this.#immediate((connection) => connection.all(SQLITE_WRITING, ...writingNow())),
  );
  readonly reads: SqlitePool;
  readonly credentialReads: SqlitePool;
  #files: SqliteFiles | null = null;

  constructor(
    private readonly file: string,
    private readonly pools: SqlitePools,
    private readonly fileLock: Lock | null,
    private readonly holding: (() => SqliteFiles) | null,
  ) {
    const { writer, reader, credentialReader } = pools;
    this.writer = writer;
    this.reader = reader;
    this.credentialReader = credentialReader;
    // A connection does not notice its own commits.
    this.reads = new SqlitePool(reader, { remembers: reader !== writer });
    this.credentialReads =
      reader === credentialReader ? this.reads : new SqlitePool(credentialReader, { remembers: true });
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const result = await this.#writing(async (raw) => {
      const connection = await this.#connection(raw);
      try {
        const transaction = new UnlockedTransaction(connection);
        const result = await work(transaction);
        await transaction.commit();
        return result;
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
        // The other writer may write again; this attempt locks it out.
        return committed(connection, (locked) => work(new SqliteTransaction(locked)));
      }
    });
    this.#proof.renew();
    return result;
  }

  batch(statements: readonly BoundStatement[]): Promise<boolean> {
    return this.#immediate(async (connection) => {
      for (const [index, { sql, values }] of statements.entries()) {
        const found = await connection.all(sql, ...values);
        if (index === 0 && found.length === 0) return false;
      }
      return true;
    });
  }

  async snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    try {
      return await sqliteSnapshot(this.reads, work);
    } catch (error) {
      throw this.judge(error);
    }
  }

  alone(work: (run: RunStatement, runAll: RunStatements) => Promise<void>): Promise<void> {
    const run = (connection: SqliteConnection) =>
      work(
        (sql) => connection.all(sql),
        (statements) => connection.exec(statements.join(';\n')),
      );
    return this.#writing(async (raw) => {
      // Temporary views of this connection are gone with its temporary storage.
      await this.#connections.get(raw)?.finalize();
      this.#connections.delete(raw);
      return sortingInFiles(raw, (connection) => committed(connection, run));
    });
  }

  /** The writer holds its lock meanwhile, so the copy has what was committed before. */
  async copyBefore(step: string): Promise<string | null> {
    return this.file === MEMORY ? null : copyBefore(this.file, step);
  }

  judge(error: unknown): StorageFault {
    return faultOf(error);
  }

  probe(): Promise<void> {
    return this.#proof.ask();
  }

  /** The first call records the files: all exist once there are tables. */
  check(): void {
    try {
      this.#files ??= this.holding?.() ?? null;
      this.#files?.check();
    } catch (error) {
      throw new StorageFault('broken', error);
    }
  }

  async close(): Promise<void> {
    // SQLite writes its log back when it closes: in a truncated file, that would mix pages of two databases.
    if (this.#files?.isCut) return;
    try {
      const prepared = [this.reads, this.credentialReads, ...this.#connections.values()];
      await Promise.all(prepared.map((one) => one.finalize()));
      const { reader, credentialReader, writer } = this.pools;
      // The writer closes last and leaves one complete file: the last connection writes the log back.
      for (const pool of new Set([reader, credentialReader, writer])) await pool.destroy();
    } finally {
      await this.fileLock?.release();
    }
  }

  #immediate<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    return this.#writing(async (raw) => committed(await this.#connection(raw), work));
  }

  async #writing<T>(use: (raw: sqlite3.Database) => Promise<T>): Promise<T> {
    try {
      const raw: sqlite3.Database = await this.writer.client.acquireConnection();
      try {
        return await use(raw);
      } finally {
        await this.writer.client.releaseConnection(raw);
      }
    } catch (error) {
      this.#proof.doubt();
      throw this.judge(error);
    }
  }

  async #connection(raw: sqlite3.Database): Promise<SqliteConnection> {
    const known = this.#connections.get(raw);
    if (known !== undefined) return known;
    const connection = new SqliteConnection(raw);
    await prepareTransactions(connection);
    this.#connections.set(raw, connection);
    return connection;
  }
}

/** Immediate, because a deferred transaction that reads before it writes can fail no matter how long it waits. */
async function committed<T>(
  connection: SqliteConnection,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  await connection.all('begin immediate');
  try {
    const result = await work(connection);
    await connection.all('commit');
    return result;
  } catch (error) {
    await rollback(connection);
    throw error;
  }
}

/** SQLite rolls back by itself after some errors, and reports that. A transaction that stays open is fatal. */
async function rollback(connection: SqliteConnection): Promise<void> {
  try {
    await connection.all('rollback');
  } catch (error) {
    if (error instanceof Error && error.message.includes('no transaction is active')) return;
    throw new StorageFault('broken', error);
  }
}

/** The message for a pipe, a device or a folder. */
export const notAFile = (path: string): string => `DATABASE_URL names ${path}, which is not a file.`;

/** The message for a file that is not a database. */
export const notADatabase = (path: string): string =>
  `DATABASE_URL names ${path}, which is not a SQLite database. Name another file, or one that does not exist yet.`;

const READERS = 2;
const ACQUIRE_MS = 2000;

/** The connections to one file; a database in memory has only one. */
export interface SqlitePools {
  readonly writer: Knex;
  readonly reader: Knex;
  readonly credentialReader: Knex;
}

/** Connects on first use. */
function sqlitePools(file: string, memory: boolean): SqlitePools {
  const writer = pool(file, 1, { memory, readOnly: false });
  const reading = (size: number) => (memory ? writer : pool(file, size, { memory, readOnly: true }));
  return { writer, reader: reading(READERS), credentialReader: reading(1) };
}

function pool(filename: string, size: number, use: { memory: boolean; readOnly: boolean }): Knex {
  return knexModule.knex({
    client: 'sqlite3',
    connection: { filename },
    useNullAsDefault: true,
    acquireConnectionTimeout: ACQUIRE_MS,
    log: QUIET,
    compileSqlOnError: false,
    pool: {
      // A connection that leaves the pool could not be closed: its statements are finalized at the end.
      min: size,
      max: size,
      afterCreate: (connection: sqlite3.Database, done: (error?: unknown) => void) => {
        configure(connection, use).then(() => done(), done);
      },
    },
  });
}
