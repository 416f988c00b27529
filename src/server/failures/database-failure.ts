import { driverCodeOf, StorageFault } from '../../adapters/sql/fault.js';
import {
  DatabaseGone,
  DatabaseInUse,
  DatabaseMissing,
  DatabaseUnusable,
  SchemaTooNew,
} from '../../adapters/sql/index.js';
import { silenceOf } from '../../adapters/sql/silence.js';
import { StorageUnavailable } from '../../core/errors.js';
import { CommandFailed } from './command-failed.js';
import { EXIT, type ExitCode } from './exit-codes.js';

/** What to say of an error that a database, or the file system, answers with. The words follow DATABASE_URL. */
interface Answer {
  readonly codes: readonly string[];
  readonly exit: ExitCode;
  readonly words: (message: string, code: string) => string;
}

/** Of certificates, as OpenSSL and Node name them; the first is our own name for a server without TLS. */
const NO_TLS = [
  ...['NO_TLS', 'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
];

const ANSWERS: readonly Answer[] = [
  {
    codes: ['SQLITE_NOTADB', 'SQLITE_CORRUPT'],
    exit: EXIT.config,
    words: (_, code) => `names a file that is no SQLite database, or a damaged one (${code}). Name another file`,
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
    words: () => 'names a file in a folder that is not there. Make the folder, or name another',
  },
  {
    codes: ['EISDIR'],
    exit: EXIT.config,
    words: () => 'names a folder. Name a file in it',
  },
  {
    codes: ['SQLITE_FULL', 'SQLITE_IOERR', 'ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', '53100', '53200'],
    exit: EXIT.unavailable,
    words: (_, code) => `names a database that cannot be read or written now (${code}). Look at its disk`,
  },
  {
    codes: ['28000', '28P01', 'SASL'],
    exit: EXIT.config,
    words: (message) => `names a user or a password that Postgres refuses: ${message}`,
  },
  {
    codes: NO_TLS,
    exit: EXIT.config,
    words: (message) => `asks for TLS as the Postgres server does not have it: ${message}. See sslmode in it`,
  },
  {
    codes: ['3D000'],
    exit: EXIT.config,
    words: (message) => `names what the Postgres server does not have: ${message}. Make it with createdb`,
  },
  {
    codes: ['42501', '3F000'],
    exit: EXIT.config,
    words: (message) => `names a user of Postgres without a right that it needs: ${message}. ${grantFor(message)}`,
  },
  {
    codes: ['25006'],
    exit: EXIT.unavailable,
    words: () => 'names a Postgres server, or a user of it, that takes no writes. Name the primary server',
  },
  {
    codes: ['42P01', '42P07', '42703', '42710'],
    exit: EXIT.config,
    words: (message) => `names a database whose tables are not as stakeport made them: ${message}. Name another`,
  },
];

const UNUSABLE = [SchemaTooNew, DatabaseUnusable, DatabaseMissing, DatabaseGone];

/** The error of an open, or opening, database as CommandFailed; one of this program, that no database is to blame for, as it is. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof StorageFault || error instanceof StorageUnavailable) {
    const told = error.cause === undefined ? error : databaseFailure(error.cause);
    return told instanceof Error && told.name === 'Error' ? inItsWords(told) : told;
  }
  if (!(error instanceof Error) || error instanceof CommandFailed) return error;
  if (error instanceof DatabaseInUse) return new CommandFailed(error.message, EXIT.taken, error);
  if (UNUSABLE.some((kind) => error instanceof kind)) return new CommandFailed(error.message, EXIT.config, error);
  return answered(error) ?? silent(error) ?? unexplained(error);
}

function answered(error: Error): CommandFailed | null {
  const code = nameOf(error);
  // What a socket says of its path is no matter of files.
  const answer = isOfSocket(error) ? undefined : ANSWERS.find(({ codes }) => codes.includes(code));
  if (answer === undefined) return null;
  return new CommandFailed(`DATABASE_URL ${answer.words(oneLine(error.message), code)}.`, answer.exit, error);
}

/** The driver gives some of its own errors no code. */
function nameOf(error: Error): string {
  if (error.message.startsWith('SASL')) return 'SASL';
  return error.message.includes('does not support SSL') ? 'NO_TLS' : driverCodeOf(error);
}

function silent(error: Error): CommandFailed | null {
  const why = silenceOf(error);
  const words = `The database does not answer: ${why}. Is it running, and is DATABASE_URL right?`;
  return why === null ? null : new CommandFailed(words, EXIT.unavailable, error);
}

/** What the store says of the database in words of its own. */
const inItsWords = (error: Error): CommandFailed =>
  new CommandFailed(`The database of DATABASE_URL cannot be used now: ${error.message}`, EXIT.unavailable, error);

/** What has a code was said by the database or the system, and not by a mistake of this program. */
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

/** Without the statement that Knex puts before what the database said. */
const oneLine = (message: string): string =>
  message
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(select|insert|update|delete|with|begin|commit|set|create|alter) .* - /i, '');
