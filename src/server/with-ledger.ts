import { CommandFailed } from './command-failed.js';
import { configuredAlone } from './configured.js';
import { EXIT } from './exit-codes.js';
import { openStandingStore } from './standing-store.js';
import { openStore, type Store } from './store.js';
import type { DatabaseChoice } from './values.js';

/**
 * What a command may do to the database. `read` changes nothing; `change` writes into one that is there, and that the server
 * has brought up to date; `make` is for the first command of a new deployment, which may make it.
 */
export type Access = 'read' | 'change' | 'make';

type Ledger = Store['ledger'];
type Opened = Pick<Store, 'ledger' | 'close'>;

/** Uses the ledger that DATABASE_URL names, beside a running server or without one. @throws CommandFailed, ConfigInvalid */
export async function withLedger<T>(access: Access, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { database } = configuredAlone('DATABASE_URL');
  const { ledger, close } = await opened(lasting(database), access);
  // Not closed after an error: the process ends then, and what does not answer would not let go.
  const result = await use(ledger);
  await close();
  return result;
}

/** A database in which a command finds what a server put there. @throws CommandFailed */
export function lasting(database: DatabaseChoice): Extract<DatabaseChoice, { kind: 'sql' }> {
  if (database.kind === 'sql' && database.url !== 'sqlite::memory:') return database;
  throw new CommandFailed(
    'The command needs a database that lasts: set DATABASE_URL to that of the server.',
    EXIT.config,
  );
}

async function opened(database: Extract<DatabaseChoice, { kind: 'sql' }>, access: Access): Promise<Opened> {
  if (access === 'make') return openStore({ database }, false);
  const standing = await openStandingStore(database.url);
  if (access === 'read') return { ledger: standing, close: () => standing.close() };
  await standing.close();
  return openStore({ database }, false);
}
