import type sqlite3 from 'sqlite3';
import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { type Cell, rowsIn, sqliteDialect, wholeIn } from './columns.js';
import { DatabaseUnusable } from './database-unusable.js';
import { newAccountRows, storingAll } from './snapshot-loader.js';
import type { Reads, Transaction } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './table.js';

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

// SQLite refuses some of several processes that switch a new file to WAL at once, without waiting.
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

const STORING = storingAll(sqliteDialect);
const TABLES = [...STORING.keys()];
const INTRODUCE = introducing(ACCOUNTS, sqliteDialect)(sqliteDialect.parameter(0));

/** How many commits of other connections this one has seen, as of the snapshot of the statement. */
const OTHERS = 'select data_version as others from pragma_data_version';
/** The message with which changes are refused that were decided before another connection wrote. */
const OUTDATED = 'another connection wrote';
const COLUMNS = ['others', ...TABLES];

/**
 * A view of this connection only, with a column for each table: what is inserted into it goes to the tables, in their order.
 * So one statement stores everything, and the connection's thread is woken once instead of once per table. The statement
 * has the write lock when it compares `others`, unless that is null.
 */
const PREPARE = [
  `create temp view if not exists changes as select ${COLUMNS.map((column) => `null as ${column}`).join(', ')}`,
  `create temp trigger if not exists store_changes instead of insert on changes begin
     select raise(abort, '${OUTDATED}') where new.others <> (${OTHERS});
     ${[...STORING].map(([table, template]) => `${template(`new.${table}`)};`).join(' ')}
   end`,
];
const STORE = `insert into changes (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`;

/** Makes a connection ready for transactions. */
export async function prepareTransactions(connection: SqliteConnection): Promise<void> {
  for (const sql of PREPARE) await connection.all(sql);
}

/** Reads on a connection that is in a transaction. */
export class SqliteReads implements Reads {
  constructor(protected readonly connection: SqliteConnection) {}

  async read(wanted: readonly Wanted[]): Promise<void> {
    const [row = {}] = await this.connection.all(readingAll(wanted, sqliteDialect), ...wanted.map(({ json }) => json));
    for (const [index, part] of wanted.entries()) part.take(rowsIn(String(row[`part_${index}`])));
  }
}

/** A transaction that holds the database's one write lock. */
export class SqliteTransaction extends SqliteReads implements Transaction {
  async introduce(ids: readonly AccountId[]): Promise<void> {
    await this.connection.all(INTRODUCE, newAccountRows(ids));
  }

  /** The whole database is locked already. */
  async lock(): Promise<void> {}

  async store(changes: readonly Change[]): Promise<void> {
    await storeChanges(this.connection, changes, null);
  }
}

/** Another connection wrote between the first read and the last statement: nothing was stored. */
export class Outdated extends Error {}

/**
 * Reads and writes without a transaction, while nothing else in this process uses the connection: one statement reads, and one stores, each a
 * trip to the driver's thread instead of two. All reads are of one snapshot, and what is stored at the end was decided on the newest one.
 */
export class UnlockedTransaction implements Transaction {
  #others: number | null = null;
  #changes: readonly Change[] = [];

  constructor(private readonly connection: SqliteConnection) {}

  async introduce(ids: readonly AccountId[]): Promise<void> {
    await this.connection.all(INTRODUCE, newAccountRows(ids));
  }

  /** Does nothing, because `read` notices other writers. */
  async lock(): Promise<void> {}

  /** @throws Outdated where another process wrote since the first read */
  async read(wanted: readonly Wanted[]): Promise<void> {
    const sql = `${readingAll(wanted, sqliteDialect)}, (${OTHERS}) as others`;
    const [row = {}] = await this.connection.all(sql, ...wanted.map(({ json }) => json));
    const others = wholeIn(row['others'] as Cell);
    if (this.#others !== null && this.#others !== others) throw new Outdated(OUTDATED);
    this.#others = others;
    for (const [index, part] of wanted.entries()) part.take(rowsIn(String(row[`part_${index}`])));
  }

  async store(changes: readonly Change[]): Promise<void> {
    this.#changes = changes;
  }

  /** Stores the changes. @throws Outdated where another process wrote since the first read */
  async commit(): Promise<void> {
    if (this.#changes.length === 0) return;
    if (this.#others === null) throw new Outdated('nothing was read');
    try {
      await storeChanges(this.connection, this.#changes, this.#others);
    } catch (error) {
      throw error instanceof Error && error.message.endsWith(OUTDATED) ? new Outdated(OUTDATED) : error;
    }
  }
}

/** One statement, and one transaction where none is open. */
async function storeChanges(connection: SqliteConnection, changes: readonly Change[], others: number | null) {
  const rows = new Map(changes);
  await connection.all(STORE, others, ...TABLES.map((table) => rows.get(table) ?? null));
}
