import { copyExistingStore } from '../server/wiring/copy-existing-store.js';
import { openStore } from '../server/wiring/store.js';
import { print, printJson } from './print.js';
import { andSays, lastingDatabase } from './with-ledger.js';

/** How the result is printed. */
export interface BackupOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
}

/**
 * `stakeport backup`: copies the SQLite database of DATABASE_URL to a new file, also while a server writes to it. Changes nothing
 * there. @throws CommandFailed, ConfigInvalid
 */
export async function backup(path: string, { json = false }: BackupOptions): Promise<void> {
  const from = await copyExistingStore(lastingDatabase().url, path);
  if (json) printJson({ from, to: path });
  else print(`${from} was copied to ${path}. Check the copy with DATABASE_URL=sqlite:${path} stakeport audit`);
}

/** How the result is printed. */
export interface MigrateOptions {
  /** One JSON document on standard output in place of sentences. */
  readonly json?: boolean;
}

/**
 * `stakeport migrate`: creates the tables of DATABASE_URL, or brings them to this version, and ends; for a server whose own role may
 * change no table. A SQLite file is copied first, and must have no server. @throws CommandFailed, ConfigInvalid
 */
export async function migrateDatabase({ json = false }: MigrateOptions): Promise<void> {
  const opened = openStore({ database: lastingDatabase() }, true).catch((error: unknown) => {
    throw andSays(error, 'Nothing was done.');
  });
  const { close, copiedTo } = await opened;
  await close();
  if (json) printJson({ copiedTo });
  else
    print(
      `The database has the tables of this version.${copiedTo === null ? '' : ` It was copied to ${copiedTo} first.`}`,
    );
}
