import type { StoreWatch } from '../../ports/ledger.js';
import { type DatabaseOptions, openDatabase } from './database.js';
import { StorageFault } from './fault.js';
import { GROUP_LIMITS, type GroupLimits } from './group-commit.js';
import { expectTables, migrate } from './migrate.js';
import { freeLeases } from './sql-leases.js';
import { SqlLedger } from './sql-ledger.js';

/** How a ledger is opened; everything has a default. */
export interface SqlLedgerOptions extends DatabaseOptions {
  readonly limits?: GroupLimits;
  /** True to compare what is remembered between writes with the database after every group of them; false by default. */
  readonly storeCheck?: boolean;
  /** Notified of what is stored, and of what fails. */
  readonly watch?: StoreWatch | undefined;
}

/**
 * Opens the database that the URL names, `sqlite:PATH`, `sqlite::memory:` or `postgres://…`, and migrates its tables; a
 * SQLite file from an older version is copied to `FILE.before-NNN` first. The caller closes the ledger.
 * @throws DatabaseInUse, DatabaseMissing, SchemaTooNew, and the database's own error when it cannot be opened
 *
 * @example
 * ```ts
 * import { openSqlLedger } from 'stakeport/sql';
 *
 * const ledger = await openSqlLedger('postgres://localhost/stakeport');
 * await ledger.ping();
 * await ledger.close();
 * ```
 */
export async function openSqlLedger(url: string, options: SqlLedgerOptions = {}): Promise<SqlLedger> {
  const store = await openDatabase(url, options);
  try {
    if (options.create === false) await expectTables(store);
    const copy = await migrate(store);
    store.check();
    // This server has the file to itself: any earlier owner of a lease is gone.
    if (options.exclusive === true && store.dialect.name === 'sqlite') await freeLeases(store);
    return new SqlLedger(store, options.limits ?? GROUP_LIMITS, copy, {
      isProven: options.storeCheck,
      isServer: options.exclusive === true,
      watch: options.watch,
    });
  } catch (error) {
    await store.close();
    throw error instanceof StorageFault ? error.cause : error;
  }
}
