import { copyStandingStore } from '../server/wiring/copy-standing-store.js';
import { print, printJson } from './print.js';
import { lastingDatabase } from './with-ledger.js';

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
  const from = await copyStandingStore(lastingDatabase().url, path);
  if (json) printJson({ from, to: path });
  else print(`${from} was copied to ${path}. Check the copy with DATABASE_URL=sqlite:${path} stakeport audit`);
}
