import { copyDatabase } from '../../adapters/sql/sqlite-copy.js';
import { CommandFailed, EXIT } from '../failures/exit.js';
import { databaseFailure } from '../failures/failure.js';
import { openExistingStore } from './existing-store.js';

const SQLITE = 'sqlite:';
const POSTGRES =
  'DATABASE_URL names a Postgres database, which its own tools back up: pg_dump --format=custom --file FILE URL. Nothing was done.';

/**
 * Copies a SQLite database of stakeport to a new file, also while a server writes to it; returns the file it was copied from.
 * @throws CommandFailed when it is another program's, is on Postgres, or cannot be copied
 */
export async function copyExistingStore(url: string, path: string): Promise<string> {
  if (!url.startsWith(SQLITE)) throw new CommandFailed(POSTGRES, EXIT.config);
  // Only a database of stakeport is copied: a mistyped name must not pass for a backup.
  await (await openExistingStore(url)).close();
  const from = url.slice(SQLITE.length);
  await copyDatabase(from, path).catch((error: unknown) => {
    throw databaseFailure(error);
  });
  return from;
}
