import { copyDatabase } from '../adapters/sql/sqlite-copy.js';
import { CommandFailed } from '../server/failures/command-failed.js';
import { databaseFailure } from '../server/failures/database-failure.js';
import { EXIT } from '../server/failures/exit-codes.js';
import { openStandingStore } from '../server/wiring/standing-store.js';
import { print, printJson } from './print.js';
import { lastingDatabase } from './with-ledger.js';

/** How the result is printed. */
export interface BackupOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
}

const SQLITE = 'sqlite:';
const POSTGRES =
  'DATABASE_URL names a Postgres database, which its own tools back up: pg_dump --format=custom --file FILE URL. Nothing was done.';

/**
 * `stakeport backup`: copies the SQLite database of DATABASE_URL to a new file, also while a server writes to it. Changes nothing
 * there. @throws CommandFailed, ConfigInvalid
 */
export async function backup(path: string, { json = false }: BackupOptions): Promise<void> {
  const { url } = lastingDatabase();
  if (!url.startsWith(SQLITE)) throw new CommandFailed(POSTGRES, EXIT.config);
  const from = url.slice(SQLITE.length);
  // Only a database of stakeport is copied: a mistyped name must not pass for a backup.
  await (await openStandingStore(url)).close();
  await copyDatabase(from, path).catch((error: unknown) => {
    throw databaseFailure(error);
  });
  if (json) printJson({ from, to: path });
  else print(`${from} was copied to ${path}. Check the copy with DATABASE_URL=sqlite:${path} stakeport audit`);
}
