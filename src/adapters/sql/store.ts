import type { Knex } from 'knex';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { Dialect } from './columns.js';
import type { StorageFault } from './fault.js';
import type { Change, Wanted } from './table.js';

/** Reads on one connection, all of one moment. */
export interface Reads {
  /** Reads everything requested with one statement. */
  read(wanted: readonly Wanted[]): Promise<void>;
}

/** An open transaction on one connection. Its statements run one after another. */
export interface Transaction extends Reads {
  /** Records these accounts, if they are not on record yet. */
  introduce(ids: readonly AccountId[]): Promise<void>;
  /** Locks every other writer of these accounts out until the end; they must be on record. */
  lock(ids: readonly AccountId[]): Promise<void>;
  /** Stores all changes with one statement. */
  store(changes: readonly Change[]): Promise<void>;
}

/** A statement that each connection prepares once, and its values. */
export interface BoundStatement {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Runs a statement that each connection prepares once, and resolves with the one text that it returns. */
export type Ask = (sql: string, ...bindings: readonly (string | number)[]) => Promise<string>;

/** Prepared statements on the connections of a pool. */
export interface Statements {
  /** Runs `work` once a connection is free, with statements on that connection. */
  using<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  /** What `make` makes of the text that a statement returns; the same object again where it is known that nothing was committed since. */
  made<T extends object>(asked: BoundStatement, make: (text: string) => T): Promise<T>;
}

/** Names what an account was like at one moment. As long as it has the same version, nothing of it was written. */
export type Version = string;

/** The accounts of a group of writes, each with the version on which the group was decided. */
export type Versions = ReadonlyMap<AccountId, Version>;

/** Stores what was decided outside of a transaction, on what was read before. */
export interface GuardedStore extends Reads {
  /**
   * The versions from now on. What is read after this is of these versions, or of later ones. Accounts that are not on
   * record may be recorded.
   */
  versions(accounts: readonly AccountId[]): Promise<Versions>;
  /** Whether a decision needs something that only a transaction keeps others from changing. */
  needsTransaction(scope: Scope): boolean;
  /**
   * Stores all changes in one transaction of its own, which is one statement; with no changes, only compares the versions.
   * Resolves with the version that all these accounts have then; null where it stays. `SERVICE`, which holds for every
   * account, is only compared, and keeps its version.
   * @throws StorageFault that is a `conflict` when nothing was stored: a VersionConflict when versions are others
   */
  store(changes: readonly Change[], versions: Versions): Promise<Version | null>;
}

/** Gets that the log of an account has events up to `head`. */
export type Hear = (account: AccountId, head: number) => void;

/** Notifies other processes of new events, and receives their notices: at best soon, and perhaps never. */
export interface Announcements {
  /** Begins to announce and to hear; a second call does nothing. */
  open(hear: Hear): void;
  /** Costs the caller nothing. */
  announce(account: AccountId, head: number): void;
  close(): Promise<void>;
}

/** An open database, either dialect. */
export interface Store {
  readonly dialect: Dialect;
  /** Absent where every group needs a transaction in which its decisions are made. */
  readonly guarded?: GuardedStore;
  /** Absent where no other process can be notified. */
  readonly announcements?: Announcements;
  /** For single statements that write. */
  readonly writer: Knex;
  /** For queries; they never wait for a writer. */
  readonly reader: Knex;
  /** For authenticating callers, with connections of its own: never queued behind a list or a write. */
  readonly credentialReader: Knex;
  /** Prepared statements on the connections of `reader`. */
  readonly reads: Statements;
  /** Prepared statements on the connections of `credentialReader`. */
  readonly credentialReads: Statements;
  /**
   * Runs `work` in one transaction and resolves once its commit is durable.
   * @throws StorageFault for every failure of the database: unless it is `unavailable` or `broken`, nothing was stored.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * Runs statements one after another in one transaction; where the first finds no row, none is run after it. Resolves with whether it
   * found one, once the commit is durable. @throws StorageFault
   */
  batch(statements: readonly BoundStatement[]): Promise<boolean>;
  /** Runs `work` on one snapshot of what is durable: it waits for no writer, and blocks none. @throws StorageFault */
  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T>;
  /** Runs `work` in one transaction while no other process can do the same: for changes of the schema. */
  alone(work: (run: RunStatement, runAll: RunStatements) => Promise<void>): Promise<void>;
  /**
   * Copies the database's file, as it is on disk now, to a file named after `step`, and returns its path; null where there
   * is no file. Call within `alone`. @throws DatabaseUnusable when the copy cannot be written
   */
  copyBefore(step: string): Promise<string | null>;
  /** Classifies an error that `writer` or `reader` threw. */
  judge(error: unknown): StorageFault;
  /** Resolves when the database answers and, unless it is open read-only, has taken a write within a second. */
  probe(): Promise<void>;
  /**
   * Checks that the database still is what was opened: takes microseconds, for use between a commit and its answer.
   * @throws StorageFault that is `broken`, of a DatabaseGone, when its files were taken away.
   */
  check(): void;
  /** Closes all connections; nothing may be in progress. */
  close(): Promise<void>;
}

/** Runs statements without parameters, all in one message to the database. */
export type RunStatements = (statements: readonly string[]) => Promise<void>;

/** Runs one statement without parameters and resolves with its rows. */
export type RunStatement = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
