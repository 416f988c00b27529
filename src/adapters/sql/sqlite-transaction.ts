import type { AccountId } from '../../core/ids.js';
import { ACCOUNTS } from './account-table.js';
import { rowsIn } from './cells.js';
import { newAccountRows, storingAll } from './change-writer.js';
import { sqliteDialect } from './dialect.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { Reads, Transaction } from './store.js';
import { type Change, introducing, readingAll, type Wanted } from './tables.js';

const STORING = storingAll(sqliteDialect);
const TABLES = [...STORING.keys()];
const INTRODUCE = introducing(ACCOUNTS, sqliteDialect)(sqliteDialect.parameter(0));

/**
 * A view of this connection only, with a column for each table: what is inserted into it goes to the tables, in their order.
 * So one statement stores everything, and the connection's thread is woken once instead of once per table.
 */
const PREPARE = [
  `create temp view if not exists changes as select ${TABLES.map((table) => `null as ${table}`).join(', ')}`,
  `create temp trigger if not exists store_changes instead of insert on changes begin
     ${[...STORING].map(([table, template]) => `${template(`new.${table}`)};`).join(' ')}
   end`,
];
const STORE = `insert into changes (${TABLES.join(', ')}) values (${TABLES.map(() => '?').join(', ')})`;

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
    const rows = new Map(changes);
    await this.connection.all(STORE, ...TABLES.map((table) => rows.get(table) ?? null));
  }
}
