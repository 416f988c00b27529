import { MemoryLedger } from '../adapters/memory/index.js';
import { DatabaseMissing, openSqlLedger } from '../adapters/sql/index.js';
import type { Bookmarks } from '../ports/bookmarks.js';
import type { ExternalOrders } from '../ports/external-orders.js';
import type { JobQueue } from '../ports/job-queue.js';
import type { KeyStore } from '../ports/key-store.js';
import type { Leasing } from '../ports/leases.js';
import type { Ledger } from '../ports/ledger.js';
import type { Config } from './config.js';

const LOOK_EVERY_MS = 1000;
const NONE_IS_MADE =
  'With LIVE_TRADING=on a server makes none: it would know nothing of the orders that the wallet has at the exchange. ' +
  'If there never was one, `stakeport accounts enable-live NAME` makes it. Else put it back, or restore a backup.';

/** The store that everything is kept in, open. */
export interface Store {
  readonly ledger: Ledger & KeyStore & JobQueue & Bookmarks & ExternalOrders & Leasing;
  /** Resolves with the reason once nothing more can be put on record until the process is started again. */
  readonly lost: Promise<unknown>;
  close(): Promise<void>;
}

/**
 * Opens the store and brings its schema up to date. A server that trades with real money only opens what is there.
 * @param exclusive a server keeps other servers off a SQLite file; the command line does not.
 */
export async function openStore(
  { database, live = null }: Pick<Config, 'database'> & Partial<Pick<Config, 'live'>>,
  exclusive: boolean,
): Promise<Store> {
  if (database.kind === 'memory') {
    return { ledger: new MemoryLedger(), lost: new Promise(() => {}), close: async () => {} };
  }
  const ledger = await openSqlLedger(database.url, { exclusive, create: live === null }).catch(explained);
  const looking = exclusive ? setInterval(() => ledger.look(), LOOK_EVERY_MS).unref() : undefined;
  const close = () => {
    clearInterval(looking);
    return ledger.close();
  };
  return { ledger, lost: ledger.lost, close };
}

function explained(error: unknown): never {
  if (error instanceof DatabaseMissing) throw new Error(`${error.message} ${NONE_IS_MADE}`, { cause: error });
  throw error;
}
