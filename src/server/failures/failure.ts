import { DatabaseGone, DatabaseMissing } from '../../adapters/sql/database-gone.js';
import { DatabaseUnusable } from '../../adapters/sql/database-unusable.js';
import { driverCodeOf, StorageFault } from '../../adapters/sql/fault.js';
import { DatabaseInUse } from '../../adapters/sql/lock.js';
import { SchemaTooNew } from '../../adapters/sql/schema-too-new.js';
import { silenceOf } from '../../adapters/sql/silence.js';
import { TapeUnreadable } from '../../adapters/tape/tape-unreadable.js';
import { type ApiKey, isUsable } from '../../core/access/api-key.js';
import {
  DomainError,
  ExchangeUnavailable,
  InvariantBroken,
  MarketDataUnavailable,
  StorageUnavailable,
} from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';
import { whole } from '../../core/ledger/query.js';
import { VenueUnusable } from '../../core/venues/venues.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Ledger } from '../../ports/ledger.js';
import { ConfigInvalid } from '../settings/config-invalid.js';
import { CommandFailed, EXIT, type ExitCode } from './exit.js';

const SILENT = [StorageUnavailable, ExchangeUnavailable, MarketDataUnavailable];

/**
 * A user error or an outside failure, worded for a person and with its exit code; null for a bug of this program, whose
 * stack shows where it is.
 */
export function failureOf(error: unknown): CommandFailed | null {
  const isOfDatabase = error instanceof StorageUnavailable || error instanceof DatabaseGone;
  const known = isOfDatabase ? databaseFailure(error) : error;
  if (!(known instanceof Error) || known instanceof InvariantBroken) return null;
  if (known instanceof CommandFailed) return known;
  const exit = exitOf(known);
  if (exit === null) return null;
  const more = known instanceof ConfigInvalid ? '\nstakeport --help explains every variable.' : '';
  return new CommandFailed(`${known.message}${more}`, exit, known);
}

function exitOf(error: Error): ExitCode | null {
  if (error instanceof ConfigInvalid) return EXIT.config;
  if (error instanceof VenueUnusable) return error.isPassing ? EXIT.unavailable : EXIT.config;
  if (SILENT.some((silence) => error instanceof silence)) return EXIT.unavailable;
  if (error instanceof DomainError) return EXIT.no;
  if (!('syscall' in error && 'code' in error)) return null;
  return SCARCE.includes(String(error.code)) ? EXIT.unavailable : EXIT.config;
}

/** Errors of the operating system for resources that may be available again later. */
const SCARCE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO'];

/** Why a tape cannot be used, named as the user named it; an error of this program is returned as it is. */
export function tapeFailure(error: unknown, named: string, exit: ExitCode = EXIT.config): unknown {
  if (error instanceof TapeUnreadable)
    return new CommandFailed(`${error.path ?? named}: ${error.message}.`, exit, error);
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error;
  if (SCARCE.includes(String(error.code)))
    return new CommandFailed(`${named}: ${error.message}.`, EXIT.unavailable, error);
  const missing =
    error.code === 'ENOENT' ? 'there is no such file or folder' : `the file cannot be used (${error.code})`;
  const why = error.syscall === 'mkdir' ? `the folder cannot be made (${error.code})` : missing;
  const where = `A path is relative to the working directory, ${process.cwd()}`;
  return new CommandFailed(`${named}: ${why}. ${where}.`, exit, error);
}

/** The database belongs to authenticated users, and a server in dev mode would accept any caller as one of them. */
class DatabaseIsGuarded extends CommandFailed {
  constructor(keys: number, accounts: readonly AccountId[]) {
    const holds = [
      ...(keys > 0 ? [counted(keys, 'API key', 'that can be used')] : []),
      ...(accounts.length > 0 ? [counted(accounts.length, 'account', 'enabled for live trading')] : []),
    ].join(' and ');
    super(
      `The database holds ${holds}, and AUTH_MODE=dev would trust every caller to be who they claim. Set AUTH_MODE to keys, jwt or keys+jwt, or DATABASE_URL to another database.`,
      EXIT.config,
    );
    this.name = 'DatabaseIsGuarded';
  }
}

/**
 * Keeps dev mode off a database in which credentials count.
 * @throws DatabaseIsGuarded when it holds API keys that can be used at `now`, or accounts enabled for live trading
 */
export async function refuseToBelieve(ledger: Ledger & KeyStore, now: Date): Promise<void> {
  const keys = await whole<ApiKey, string>(
    (page) => ledger.listKeys(page),
    ({ id }) => id,
  );
  const usable = keys.filter((key) => isUsable(key, now));
  const accounts = await whole<AccountId, AccountId>(
    (page) => ledger.listAccounts({ liveEnabled: true }, page),
    (account) => account,
  );
  if (usable.length > 0 || accounts.length > 0) throw new DatabaseIsGuarded(usable.length, accounts);
}

const counted = (count: number, noun: string, which: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'} ${which}`;

/** How to report an error of a database or the file system. The words follow DATABASE_URL. */
interface Answer {
  readonly codes: readonly string[];
  readonly exit: ExitCode;
  readonly words: (message: string, code: string) => string;
}

/** Certificate error codes of OpenSSL and Node; the first is our own, for a server without TLS. */
const NO_TLS = [
  'NO_TLS',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
];

const ANSWERS: readonly Answer[] = [
  {
    codes: ['SQLITE_NOTADB', 'SQLITE_CORRUPT'],
    exit: EXIT.config,
    words: (_, code) => `names a file that is not a SQLite database, or is damaged (${code}). Name another file`,
  },
  {
    codes: ['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM', 'SQLITE_AUTH', 'EACCES', 'EPERM', 'EROFS'],
    exit: EXIT.config,
    words: (_, code) =>
      `names a file that cannot be used (${code}). The user of this process must be able to write it and its folder`,
  },
  {
    codes: ['ENOENT', 'ENOTDIR'],
    exit: EXIT.config,
    words: () => 'names a file in a folder that does not exist. Create the folder, or name another',
  },
  {
    codes: ['EISDIR'],
    exit: EXIT.config,
    words: () => 'names a folder. Name a file in it',
  },
  {
    codes: ['SQLITE_FULL', 'SQLITE_IOERR', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', '53100', '53200'],
    exit: EXIT.unavailable,
    words: (_, code) => `names a database that cannot be read or written now (${code}). Check its disk`,
  },
  {
    codes: ['28000', '28P01', 'SASL'],
    exit: EXIT.config,
    words: (message) => `names a user or a password that Postgres refuses: ${message}`,
  },
  {
    codes: NO_TLS,
    exit: EXIT.config,
    words: (message) => `asks for TLS that the Postgres server does not offer: ${message}. Check its sslmode`,
  },
  {
    codes: ['3D000'],
    exit: EXIT.config,
    words: (message) => `names what the Postgres server does not have: ${message}. Create it with createdb`,
  },
  {
    codes: ['42501', '3F000'],
    exit: EXIT.config,
    words: (message) => `names a Postgres user without a privilege that it needs: ${message}. ${grantFor(message)}`,
  },
  {
    codes: ['25006'],
    exit: EXIT.unavailable,
    words: () => 'names a Postgres server or user that is read-only. Name the primary server',
  },
  {
    codes: ['42P01', '42P07', '42703', '42710'],
    exit: EXIT.config,
    words: (message) => `names a database whose tables are not those of stakeport: ${message}. Name another`,
  },
];

const UNUSABLE = [SchemaTooNew, DatabaseUnusable, DatabaseMissing, DatabaseGone];

/** The error of an open, or opening, database as CommandFailed; an error of this program itself is returned as it is. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof StorageFault || error instanceof StorageUnavailable) {
    const failure = error.cause === undefined ? error : databaseFailure(error.cause);
    return failure instanceof Error && failure.name === 'Error' ? inItsWords(failure) : failure;
  }
  if (!(error instanceof Error) || error instanceof CommandFailed) return error;
  if (error instanceof DatabaseInUse) return new CommandFailed(error.message, EXIT.taken, error);
  if (UNUSABLE.some((kind) => error instanceof kind)) return new CommandFailed(error.message, EXIT.config, error);
  return answered(error) ?? silent(error) ?? unexplained(error);
}

function answered(error: Error): CommandFailed | null {
  const code = nameOf(error);
  // A socket's error about its path does not concern the database file.
  const answer = isOfSocket(error) ? undefined : ANSWERS.find(({ codes }) => codes.includes(code));
  if (answer === undefined) return null;
  return new CommandFailed(`DATABASE_URL ${answer.words(oneLine(error.message), code)}.`, answer.exit, error);
}

/** Some errors of the driver have no code. */
function nameOf(error: Error): string {
  if (error.message.startsWith('SASL')) return 'SASL';
  return error.message.includes('does not support SSL') ? 'NO_TLS' : driverCodeOf(error);
}

function silent(error: Error): CommandFailed | null {
  const why = silenceOf(error);
  const words = `The database does not answer: ${why}. Is it running, and is DATABASE_URL right?`;
  return why === null ? null : new CommandFailed(words, EXIT.unavailable, error);
}

/** The store's own error about the database. */
const inItsWords = (error: Error): CommandFailed =>
  new CommandFailed(`The database in DATABASE_URL cannot be used now: ${error.message}`, EXIT.unavailable, error);

/** An error with a code comes from the database or the system, not from a bug of this program. */
function unexplained(error: Error): Error {
  if (driverCodeOf(error) === '') return error;
  return new CommandFailed(`DATABASE_URL names a database that fails: ${oneLine(error.message)}`, EXIT.config, error);
}

function grantFor(message: string): string {
  const [, kind = '', name = ''] = /permission denied for (schema|table) (\S+)/.exec(message) ?? [];
  if (kind === 'schema' || message.includes('no schema')) {
    const schema = name === '' ? 'public' : name;
    return `As its owner: GRANT USAGE, CREATE ON SCHEMA ${schema} TO that_user`;
  }
  if (kind === 'table') return 'Let that user own the tables, or use the one that does';
  return 'As its owner: GRANT ALL ON DATABASE that_database TO that_user';
}

const isOfSocket = (error: Error): boolean => 'syscall' in error && error.syscall === 'connect';

/** The database's message, without the statement that Knex puts before it. */
const oneLine = (message: string): string =>
  message
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(select|insert|update|delete|with|begin|commit|set|create|alter) .* - /i, '');
