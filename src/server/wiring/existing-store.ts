import { stat } from 'node:fs/promises';
import { openDatabase } from '../../adapters/sql/database.js';
import { driverCodeOf } from '../../adapters/sql/fault.js';
import { GROUP_LIMITS } from '../../adapters/sql/group-commit.js';
import { appliedSteps, checkSteps } from '../../adapters/sql/migrate.js';
import { MIGRATIONS } from '../../adapters/sql/migrations/index.js';
import { SqlLedger } from '../../adapters/sql/sql-ledger.js';
import type { Store } from '../../adapters/sql/store.js';
import { CommandFailed, EXIT } from '../failures/exit.js';
import { databaseFailure } from '../failures/failure.js';

const SQLITE = 'sqlite:';

/**
 * Opens an existing database read-only and beside a running server: creates no file and no table, changes nothing, and does
 * not migrate it. The caller closes the ledger.
 * @throws CommandFailed when the database is missing, of another version, or does not answer
 */
export async function openExistingStore(url: string): Promise<SqlLedger> {
  const path = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : null;
  try {
    if (path !== null && !(await isThere(path))) throw new CommandFailed(notThere(path), EXIT.config);
    const store = await openDatabase(url, { readOnly: true });
    await checkStore(store);
    return new SqlLedger(store, GROUP_LIMITS);
  } catch (error) {
    // Not closed: a database that does not answer would not close either, and the process is about to end.
    throw databaseFailure(error);
  }
}

/** @throws when the system does not permit this user to look */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(driverCodeOf(error))) return false;
    throw error;
  }
}

async function checkStore(store: Store): Promise<void> {
  const applied = await appliedSteps(store);
  if (applied === null) throw new CommandFailed(NOT_OURS, EXIT.config);
  checkSteps(applied);
  if (MIGRATIONS.some(({ name }) => !applied.includes(name))) throw new CommandFailed(TOO_OLD, EXIT.config);
}

const MAKE_ONE =
  'Name another, or start the server once, which creates it (with LIVE_TRADING=on it does not: stakeport accounts enable-live NAME does).';
const notThere = (path: string): string =>
  `DATABASE_URL names no database: the file does not exist: ${path} (from ${process.cwd()}). ${MAKE_ONE}`;
const NOT_OURS = `DATABASE_URL names what is not a database of stakeport: its tables are missing. ${MAKE_ONE}`;
const TOO_OLD =
  'DATABASE_URL names a database from an older version of stakeport: start the server once, which migrates it, or use the version of the server.';
