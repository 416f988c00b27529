import { mkdir } from 'node:fs/promises';
import { dirname, normalize } from 'node:path';
import { DatabaseMissing } from '../../adapters/sql/database-gone.js';
import type { StoreWatch, WholeStore } from '../../ports/ledger.js';
import { CommandFailed, EXIT } from '../failures/exit.js';
import { databaseFailure } from '../failures/failure.js';
import type { Config } from '../settings/config.js';

const LOOK_EVERY_MS = 1000;
const NONE_IS_MADE =
  'With LIVE_TRADING=on a server creates none: it would know nothing of the orders of the wallet at the venue. ' +
  'If there never was one, `stakeport accounts enable-live NAME` creates it. Else put it back, or restore a backup.';

/** The store that everything is kept in, open. */
export interface OpenStore {
  readonly ledger: WholeStore;
  /** Resolves with the reason once nothing more can be recorded until the process is restarted. */
  readonly lost: Promise<unknown>;
  /** Where the file was copied to before its migration; null where it was not. */
  readonly copiedTo: string | null;
  /** How many accounts, one time or another, another process had written since they were read; 0 where none can. */
  readonly collisions: () => number;
  /** How many writes wait to be committed. */
  readonly waiting: () => number;
  close(): Promise<void>;
}

/** The folder of the default DATABASE_URL: the only one that is created when missing. */
const OWN_FOLDER = 'data';
const SQLITE = 'sqlite:';

/**
 * Opens the store and migrates its schema. A server that trades with real money only opens an existing one.
 * @param exclusive a server locks other servers out of a SQLite file; the command line does not.
 * @param watch learns what is stored, and what fails.
 * @throws CommandFailed
 */
export async function openStore(
  {
    database,
    live = null,
    storeCheck = false,
  }: Pick<Config, 'database'> & Partial<Pick<Config, 'live' | 'storeCheck'>>,
  exclusive: boolean,
  watch?: StoreWatch,
): Promise<OpenStore> {
  if (database.kind === 'memory') {
    const { MemoryLedger } = await import('../../adapters/memory/index.js');
    const none = { lost: new Promise(() => {}), copiedTo: null, collisions: () => 0, waiting: () => 0 };
    return { ledger: new MemoryLedger(undefined, watch), ...none, close: async () => {} };
  }
  const create = live === null;
  if (create) await makeOwnFolder(database.url);
  const { openSqlLedger } = await import('../../adapters/sql/open-ledger.js');
  const ledger = await openSqlLedger(database.url, { exclusive, create, storeCheck, watch }).catch(explained);
  // A server that cannot write would otherwise start, and refuse every request.
  await ledger.ping().catch((error: unknown) => ledger.close().then(() => explained(error)));
  const looking = exclusive ? setInterval(() => ledger.look(), LOOK_EVERY_MS).unref() : undefined;
  const close = () => {
    clearInterval(looking);
    return ledger.close();
  };
  const { lost, copiedTo, collisions, waiting } = ledger;
  return { ledger, lost, copiedTo, collisions, waiting, close };
}

async function makeOwnFolder(url: string): Promise<void> {
  const isOwn = url.startsWith(SQLITE) && dirname(normalize(url.slice(SQLITE.length))) === OWN_FOLDER;
  if (isOwn) await mkdir(OWN_FOLDER, { recursive: true }).catch(explained);
}

function explained(error: unknown): never {
  if (error instanceof DatabaseMissing) throw new CommandFailed(`${error.message} ${NONE_IS_MADE}`, EXIT.config, error);
  throw databaseFailure(error);
}
