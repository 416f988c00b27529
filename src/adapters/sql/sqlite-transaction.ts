import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { type Cell, rowsIn, wholeIn } from './cells.js';
import { newAccountRows, storingAll } from './change-writer.js';
import { sqliteDialect } from './dialect.js';
import { StorageFault } from './fault.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { Reads, Transaction } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './tables.js';

const STORING = storingAll(sqliteDialect);
const TABLES = [...STORING.keys()];
const INTRODUCE = introducing(ACCOUNTS, sqliteDialect)(sqliteDialect.parameter(0));

/** How many commits of others this connection has seen: within a transaction that writes, there can be no more. */
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

async function storeChanges(connection: SqliteConnection, changes: readonly Change[], others: number | null) {
  const rows = new Map(changes);
  await connection.all(STORE, others, ...TABLES.map((table) => rows.get(table) ?? null));
}

/** How many commits of others a connection has seen. */
export async function othersSeen(connection: SqliteConnection): Promise<number> {
  const [row] = await connection.all(OTHERS);
  return wholeIn(row?.['others'] as Cell);
}

/**
 * Stores all changes in one transaction, which is one statement, unless another connection wrote meanwhile.
 * @throws StorageFault
 */
export async function storeGuarded(connection: SqliteConnection, changes: readonly Change[], others: number) {
  try {
    if (changes.length > 0) await storeChanges(connection, changes, others);
    else if ((await othersSeen(connection)) !== others) throw new StorageFault('conflict', new Error(OUTDATED));
  } catch (error) {
    throw error instanceof Error && error.message.endsWith(OUTDATED) ? new StorageFault('conflict', error) : error;
  }
}
