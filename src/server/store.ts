import { MemoryLedger } from '../adapters/memory/index.js';
import { openSqlLedger } from '../adapters/sql/index.js';
import type { Bookmarks } from '../ports/bookmarks.js';
import type { ExternalOrders } from '../ports/external-orders.js';
import type { JobQueue } from '../ports/job-queue.js';
import type { KeyStore } from '../ports/key-store.js';
import type { Leasing } from '../ports/leases.js';
import type { Ledger } from '../ports/ledger.js';
import type { Config } from './config.js';

/** The store that everything is kept in, open. */
export interface Store {
  readonly ledger: Ledger & KeyStore & JobQueue & Bookmarks & ExternalOrders & Leasing;
  close(): Promise<void>;
}

/**
 * Opens the store and brings its schema up to date.
 * @param exclusive a server keeps other servers off a SQLite file; the command line does not.
 */
export async function openStore({ database }: Pick<Config, 'database'>, exclusive: boolean): Promise<Store> {
  if (database.kind === 'memory') return { ledger: new MemoryLedger(), close: async () => {} };
  const ledger = await openSqlLedger(database.url, { exclusive });
  return { ledger, close: () => ledger.close() };
}
