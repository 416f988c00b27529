import type sqlite3 from 'sqlite3';
import { sqliteDriver } from './sqlite-driver.js';

/** Another server has this database open. */
export class DatabaseInUse extends Error {
  constructor(readonly file: string) {
    super(
      `${file} is in use by another stakeport server. ` +
        'Stop that server first, or start this one with another DATABASE_URL.',
    );
    this.name = 'DatabaseInUse';
  }
}

/** A lock that is held until it is released, or until this process ends in any way. */
export interface Lock {
  release(): Promise<void>;
}

/**
 * Makes this process the only server of a database file, named by its real path. Programs that do not take the lock, such as
 * the command line and backup tools, are not locked out.
 *
 * The lock is an exclusive transaction on a separate database beside the file, `FILE.lock`: the operating system releases it
 * with the process, so nothing stale is left to clean up after a kill.
 * @throws DatabaseInUse
 */
export async function lockDatabase(file: string): Promise<Lock> {
  const connection = await open(`${file}.lock`);
  const release = () => new Promise<void>((done, fail) => connection.close((error) => (error ? fail(error) : done())));
  try {
    await run(connection, 'pragma busy_timeout = 0');
    // Not WAL: there an exclusive transaction admits readers, and so a second server's first steps.
    await run(connection, 'pragma locking_mode = exclusive');
    await run(connection, 'pragma journal_mode = delete');
    await run(connection, 'begin exclusive');
  } catch (error) {
    await release();
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') throw new DatabaseInUse(file);
    throw error;
  }
  return { release };
}

async function open(file: string): Promise<sqlite3.Database> {
  const driver = await sqliteDriver();
  return new Promise((done, fail) => {
    const connection: sqlite3.Database = new driver.Database(file, (error) => (error ? fail(error) : done(connection)));
  });
}

function run(connection: sqlite3.Database, sql: string): Promise<void> {
  return new Promise((done, fail) => connection.exec(sql, (error) => (error ? fail(error) : done())));
}
