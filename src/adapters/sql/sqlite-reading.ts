import { open, realpath, stat } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import knexModule, { type Knex } from 'knex';
import type sqlite3 from 'sqlite3';
import { sqliteDialect } from './columns.js';
import { DatabaseUnusable } from './database-unusable.js';
import { driverCodeOf, StorageFault } from './fault.js';
import { QUIET } from './quiet.js';
import { MAGIC, notADatabase, notAFile } from './sqlite.js';
import { configureForReading } from './sqlite-connection.js';
import { sqliteDriver } from './sqlite-driver.js';
import { faultOf } from './sqlite-errors.js';
import { SqlitePool } from './sqlite-pool.js';
import { sqliteSnapshot } from './sqlite-snapshot.js';
import type { Reads, Store } from './store.js';

const READERS = 2;
const ACQUIRE_MS = 2000;
/** The offset of the journal mode in the header, and its value for a write-ahead log. */
const VERSION_AT = 18;
const WAL = 2;

/** How SQLite opens a file; `quiet` when no other program has it open, and none may until it is closed. */
interface Reading {
  readonly path: string;
  readonly query: string;
  readonly quiet: boolean;
}

/**
 * Opens an existing file read-only, also where nothing can be written: neither it nor anything beside it is created,
 * extended or changed. A write-ahead log beside it is read too.
 * @throws DatabaseUnusable when it is not a SQLite database, and an error with the code SQLITE_BUSY when another program
 * keeps it locked.
 */
export async function openSqliteForReading(name: string): Promise<Store> {
  await sqliteDriver();
  const path = await realpath(name);
  const reading = await readingOf(path);
  return new SqliteReading(pool(reading), reading, reading.quiet ? await stateOf(path) : '');
}

async function readingOf(path: string): Promise<Reading> {
  const header = await headerOf(path);
  const [wal, shared] = [await sizeOf(`${path}-wal`), await sizeOf(`${path}-shm`)];
  const logs = header.readUInt8(VERSION_AT) === WAL;
  // To read a file with a log, SQLite shares memory in a file beside it, which exists while any program has it open.
  if (!logs || (wal !== null && shared !== null) || process.platform === 'win32')
    return { path, query: 'mode=ro', quiet: false };
  await meetsNoLock(path);
  const query = wal === null || wal === 0 ? 'mode=ro&immutable=1' : 'mode=ro&vfs=unix-none';
  return { path, query, quiet: true };
}

async function headerOf(path: string): Promise<Buffer> {
  // Checked first, because opening a pipe waits for its writer.
  if (!(await stat(path)).isFile()) throw new DatabaseUnusable(notAFile(path));
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(100), 0, 100, 0);
    if (bytesRead < 100 || buffer.toString('latin1', 0, MAGIC.length) !== MAGIC)
      throw new DatabaseUnusable(notADatabase(path));
    return buffer;
  } finally {
    await file.close();
  }
}

/**
 * A connection without shared memory needs exclusive access, which a reader cannot have: it gets the lock error and stops.
 */
async function meetsNoLock(path: string): Promise<void> {
  const driver = await sqliteDriver();
  const flags = driver.OPEN_READONLY | driver.OPEN_URI;
  const uri = `${pathToFileURL(path).href}?mode=ro`;
  const connection = await new Promise<sqlite3.Database>((done, fail) => {
    const made: sqlite3.Database = new driver.Database(uri, flags, (error) => (error ? fail(error) : done(made)));
  });
  try {
    await configureForReading(connection, { alone: true });
    await new Promise<void>((done, fail) => {
      connection.all('select 1 from sqlite_master', (error) =>
        driverCodeOf(error) === 'SQLITE_BUSY' ? fail(error) : done(),
      );
    });
  } finally {
    await new Promise<void>((done) => connection.close(() => done()));
  }
}

function pool({ path, query, quiet }: Reading): Knex {
  return knexModule.knex({
    client: 'sqlite3',
    connection: { filename: `${pathToFileURL(path).href}?${query}`, flags: ['OPEN_URI'] },
    useNullAsDefault: true,
    acquireConnectionTimeout: ACQUIRE_MS,
    log: QUIET,
    compileSqlOnError: false,
    pool: {
      // A connection that leaves the pool could not be closed: its statements are finalized at the end.
      min: READERS,
      max: READERS,
      afterCreate: (connection: sqlite3.Database, done: (error?: unknown) => void) => {
        configureForReading(connection, { alone: quiet }).then(() => done(), done);
      },
    },
  });
}

class SqliteReading implements Store {
  readonly dialect = sqliteDialect;
  readonly writer: Knex;
  readonly credentialReader: Knex;
  readonly reads: SqlitePool;
  readonly credentialReads: SqlitePool;

  constructor(
    readonly reader: Knex,
    private readonly reading: Reading,
    private readonly state: string,
  ) {
    this.writer = reader;
    this.credentialReader = reader;
    this.reads = new SqlitePool(reader, { remembers: true });
    this.credentialReads = this.reads;
  }

  async transaction(): Promise<never> {
    throw new StorageFault('refused', new Error('The database is open read-only.'));
  }

  async batch(): Promise<never> {
    throw new StorageFault('refused', new Error('The database is open read-only.'));
  }

  async snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T> {
    try {
      return await sqliteSnapshot(this.reads, work);
    } catch (error) {
      throw this.judge(error);
    }
  }

  async alone(): Promise<void> {
    throw new StorageFault('refused', new Error('The database is open read-only.'));
  }

  async copyBefore(): Promise<null> {
    return null;
  }

  judge(error: unknown): StorageFault {
    return faultOf(error);
  }

  /** Fails when another program opened or changed the file in the meantime: what was read may be inconsistent. */
  async probe(): Promise<void> {
    const { path, quiet } = this.reading;
    if (quiet && (await stateOf(path)) !== this.state)
      throw new Error('Another program opened the file in the meantime.');
    await this.reader.raw('select name from schema_steps limit 1');
  }

  check(): void {}

  async close(): Promise<void> {
    await this.reads.finalize();
    await this.reader.destroy();
  }
}

async function stateOf(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path);
  return JSON.stringify([ino, size, mtimeMs, await sizeOf(`${path}-wal`), await sizeOf(`${path}-shm`)]);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (driverCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
