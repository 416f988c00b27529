import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { type Cell, rowsIn, wholeIn } from './cells.js';
import { newAccountRows, storingAll } from './change-writer.js';
import { sqliteDialect } from './dialect.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { Reads, Transaction } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './tables.js';

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
 * The same without a transaction, while nothing else in this process uses the connection: one statement reads, and one stores, each a
 * trip to the driver's thread instead of two. All reads are of one snapshot, and what is stored at the end was decided on the newest one.
 */
export class UnlockedTransaction implements Transaction {
  #others: number | null = null;
  #changes: readonly Change[] = [];

  constructor(private readonly connection: SqliteConnection) {}

  async introduce(ids: readonly AccountId[]): Promise<void> {
    await this.connection.all(INTRODUCE, newAccountRows(ids));
  }

  /** Whoever else writes is noticed. */
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
