import { StorageUnavailable } from '../core/errors.js';
import { CommandFailed } from '../server/failures/command-failed.js';
import { EXIT } from '../server/failures/exit-codes.js';
import { failureOf } from '../server/failures/failure.js';
import { configuredAlone } from '../server/settings/configured.js';
import { slipsOf } from '../server/settings/stray-variables.js';
import type { DatabaseChoice } from '../server/settings/values.js';
import { openStandingStore } from '../server/wiring/standing-store.js';
import { type OpenStore, openStore } from '../server/wiring/store.js';

/**
 * What a command may do to the database. `read` changes nothing; `change` writes into one that is there, and that the server
 * has brought up to date; `make` is for the first command of a new deployment, which may make it.
 */
export type Access = 'read' | 'change' | 'make';

type Ledger = OpenStore['ledger'];
type Opened = Pick<OpenStore, 'ledger' | 'close'>;

type Lasting = Extract<DatabaseChoice, { kind: 'sql' }>;

/**
 * Uses the ledger that DATABASE_URL names, beside a running server or without one. What fails says whether anything was done.
 * @throws CommandFailed, ConfigInvalid
 */
export async function withLedger<T>(access: Access, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const { database } = configuredAlone('DATABASE_URL');
  const chosen = lasting(database);
  const changes = access !== 'read';
  const { ledger, close } = await opened(chosen, access).catch((error: unknown) => {
    throw changes ? andSays(error, 'Nothing was done.') : error;
  });
  // Not closed after an error: the process ends then, and what does not answer would not let go.
  const result = await use(ledger).catch((error: unknown) => {
    throw changes && error instanceof StorageUnavailable ? andSays(error, IN_DOUBT) : error;
  });
  await close();
  return result;
}

/** A commit may have taken place though its answer was lost. */
const IN_DOUBT = 'Whether it was done is not known: look, with accounts show or keys list, before you do it again.';

function andSays(error: unknown, sentence: string): unknown {
  const failure = failureOf(error);
  return failure === null ? error : new CommandFailed(`${failure.message} ${sentence}`, failure.exit, error);
}

/** A database in which a command finds what a server put there, and not the default where another was meant. @throws CommandFailed */
function lasting(database: DatabaseChoice): Lasting {
  const [slip] = (process.env['DATABASE_URL'] ?? '').trim() === '' ? slipsOf('DATABASE_URL', process.env) : [];
  if (slip !== undefined) {
    const words = `${slip} is not a setting, and DATABASE_URL is not set. Is DATABASE_URL meant? Nothing was done.`;
    throw new CommandFailed(words, EXIT.config);
  }
  if (database.kind === 'sql' && database.url !== 'sqlite::memory:') return database;
  throw new CommandFailed(
    'The command needs a database that lasts: set DATABASE_URL to that of the server.',
    EXIT.config,
  );
}

async function opened(database: Lasting, access: Access): Promise<Opened> {
  if (access === 'make') return openStore({ database }, false);
  const standing = await openStandingStore(database.url);
  if (access === 'read') return { ledger: standing, close: () => standing.close() };
  await standing.close();
  return openStore({ database }, false);
}
