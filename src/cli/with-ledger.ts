import { StorageUnavailable } from '../core/errors.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf } from '../server/failures/failure.js';
import { configuredAlone } from '../server/settings/configured.js';
import { slipsOf } from '../server/settings/stray-variables.js';
import type { DatabaseChoice } from '../server/settings/values.js';
import { openExistingStore } from '../server/wiring/existing-store.js';
import { type OpenStore, openStore } from '../server/wiring/store.js';

/**
 * What a command may do to the database. `read` changes nothing; `change` writes into an existing one that the server has
 * migrated; `make` is for the first command of a new deployment, which may create it.
 */
export type Access = 'read' | 'change' | 'make';

type Ledger = OpenStore['ledger'];
type Opened = Pick<OpenStore, 'ledger' | 'close'>;

type Lasting = Extract<DatabaseChoice, { kind: 'sql' }>;

/**
 * Uses the ledger of DATABASE_URL, beside a running server or without one. An error says whether anything was done.
 * @throws CommandFailed, ConfigInvalid
 */
export async function withLedger<T>(access: Access, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  const chosen = lastingDatabase();
  const changes = access !== 'read';
  const { ledger, close } = await opened(chosen, access).catch((error: unknown) => {
    throw changes ? andSays(error, 'Nothing was done.') : error;
  });
  // Not closed after an error: the process ends then, and a database that does not answer would not close.
  const result = await use(ledger).catch((error: unknown) => {
    throw changes && error instanceof StorageUnavailable ? andSays(error, IN_DOUBT) : error;
  });
  await close();
  return result;
}

/** A commit may have taken place although its answer was lost. */
const IN_DOUBT = 'It is not known whether it was done: check with accounts show or keys list before you repeat it.';

/** A failure with one sentence more. */
export function andSays(error: unknown, sentence: string): unknown {
  const failure = failureOf(error);
  return failure === null ? error : new CommandFailed(`${failure.message} ${sentence}`, failure.exit, error);
}

/** The database that a server uses, and not the default where DATABASE_URL is misspelt. @throws CommandFailed, ConfigInvalid */
export function lastingDatabase(): Lasting {
  const { database } = configuredAlone('DATABASE_URL');
  const [slip] = (process.env['DATABASE_URL'] ?? '').trim() === '' ? slipsOf('DATABASE_URL', process.env) : [];
  if (slip !== undefined) {
    const words = `${slip} is not a setting, and DATABASE_URL is not set. Did you mean DATABASE_URL? Nothing was done.`;
    throw new CommandFailed(words, EXIT.config);
  }
  if (database.kind === 'sql' && database.url !== 'sqlite::memory:') return database;
  throw new CommandFailed(
    'The command needs a persistent database: set DATABASE_URL to that of the server.',
    EXIT.config,
  );
}

async function opened(database: Lasting, access: Access): Promise<Opened> {
  if (access === 'make') return openStore({ database }, false);
  const existing = await openExistingStore(database.url);
  if (access === 'read') return { ledger: existing, close: () => existing.close() };
  await existing.close();
  return openStore({ database }, false);
}
