import type sqlite3 from 'sqlite3';
import { DatabaseUnusable } from './database-unusable.js';

type Row = Readonly<Record<string, unknown>>;

/** The statements of one SQLite connection, each prepared once. */
export class SqliteConnection {
  readonly #prepared = new Map<string, sqlite3.Statement>();

  constructor(private readonly database: sqlite3.Database) {}

  async all(sql: string, ...parameters: readonly (string | number | null)[]): Promise<readonly Row[]> {
    const statement = this.#prepared.get(sql) ?? (await this.#prepare(sql));
    return new Promise((resolve, reject) => {
      statement.all<Row>([...parameters], (error, rows) => (error === null ? resolve(rows) : reject(error)));
    });
  }

  /** Runs several statements in one go; none of them is kept. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.database.exec(sql, (error: Error | null) => (error === null ? resolve() : reject(error)));
    });
  }

  /** Finalizes every statement: SQLite does not close a connection that has any. */
  async finalize(): Promise<void> {
    const statements = [...this.#prepared.values()];
    this.#prepared.clear();
    await Promise.all(statements.map((statement) => new Promise<void>((done) => statement.finalize(() => done()))));
  }

  #prepare(sql: string): Promise<sqlite3.Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.database.prepare(sql, (error: Error | null) => {
        if (error !== null) return reject(error);
        this.#prepared.set(sql, statement);
        resolve(statement);
      });
    });
  }
}

/** Runs `work` with sorting in files: indexing a large table takes no more memory than indexing a small one. */
export async function sortingInFiles<T>(
  database: sqlite3.Database,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  const connection = new SqliteConnection(database);
  try {
    await pragma(database, 'temp_store = file');
    return await work(connection);
  } finally {
    await connection.finalize();
    await pragma(database, 'temp_store = memory');
  }
}

const PRAGMAS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  busy_timeout: 5000,
  temp_store: 2,
} as const;

const SETTLE_FOR_MS = 5000;

/**
 * Sets what every connection must have: write-ahead log, a disk sync at every commit, foreign keys, a busy timeout. Reads
 * each back: a reopened file would otherwise silently run with `synchronous=NORMAL`, which can lose commits.
 * @throws DatabaseUnusable when a setting did not take effect.
 */
export async function configure(
  database: sqlite3.Database,
  use: { memory: boolean; readOnly: boolean },
): Promise<void> {
  const wanted = {
    ...PRAGMAS,
    ...(use.memory ? { journal_mode: 'memory' } : {}),
    query_only: use.readOnly ? 1 : 0,
  };
  await pragma(database, `busy_timeout = ${wanted.busy_timeout}`);
  await becomeWal(database, wanted.journal_mode);
  await pragma(database, 'synchronous = full');
  await pragma(database, 'foreign_keys = on');
  // A statement of many rows keeps its undo data in memory, not in a file.
  await pragma(database, 'temp_store = memory');
  await pragma(database, `query_only = ${wanted.query_only}`);
  for (const [name, value] of Object.entries(wanted)) {
    const actual = await pragma(database, name);
    if (actual !== value) throw new DatabaseUnusable(`SQLite did not accept ${name} = ${value}: it is ${actual}`);
  }
}

/**
 * Sets what a read-only connection must have, and reads nothing from the file. `alone` shares no memory with others, so that
 * no file is created for it: only for a file that no other program has open.
 */
export async function configureForReading(database: sqlite3.Database, { alone }: { alone: boolean }): Promise<void> {
  await pragma(database, `busy_timeout = ${PRAGMAS.busy_timeout}`);
  await pragma(database, 'query_only = on');
  await pragma(database, 'temp_store = memory');
  if (alone) await pragma(database, 'locking_mode = exclusive');
}

// Of several processes that switch a new file to WAL at once, SQLite refuses some without waiting.
async function becomeWal(database: sqlite3.Database, mode: string): Promise<void> {
  const until = performance.now() + SETTLE_FOR_MS;
  for (;;) {
    try {
      await pragma(database, `journal_mode = ${mode}`);
      return;
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      if (!busy || performance.now() > until) throw error;
      await new Promise((done) => setTimeout(done, 10 + 20 * Math.random()));
    }
  }
}

/** The value that a pragma returns; undefined when it returns nothing. */
function pragma(database: sqlite3.Database, text: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    database.all<Row>(`pragma ${text}`, (error, rows) => {
      if (error !== null) return reject(error);
      resolve(Object.values(rows[0] ?? {})[0]);
    });
  });
}
