import { StorageFault } from './fault.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SqlitePool } from './sqlite-pool.js';
import { othersSeen, SqliteReads, storeGuarded } from './sqlite-transaction.js';
import type { GuardedStore, Version } from './store.js';
import type { Change, Wanted } from './tables.js';

/** Runs work on the connection that writes, while nothing else uses it. */
export type Hold = <T>(work: (connection: SqliteConnection) => Promise<T>) => Promise<T>;

/**
 * Stores groups of one SQLite file. `data_version` counts the commits of other connections; what this process writes on the
 * same connection but not through here is counted by `wrote`.
 */
export class SqliteGuarded implements GuardedStore {
  #own = 0;

  constructor(
    readonly hold: Hold,
    private readonly reader: SqlitePool,
    /** Called after each commit. */
    private readonly committed: () => void,
  ) {}

  /** Something else is about to write on the connection that writes, or just did. */
  readonly wrote = (): void => {
    this.#own += 1;
  };

  version(): Promise<Version> {
    return this.hold(async (connection) => {
      const own = this.#own;
      return { own, others: await othersSeen(connection) };
    });
  }

  mayHold({ own }: Version): boolean {
    return own === this.#own;
  }

  store(changes: readonly Change[], version: Version): Promise<void> {
    return this.hold(async (connection) => {
      if (!this.mayHold(version)) throw new StorageFault('conflict', new Error('this process wrote something else'));
      await storeGuarded(connection, changes, version.others);
      if (changes.length > 0) this.committed();
    });
  }

  aside(sql: string, json: string): Promise<void> {
    return this.hold(async (connection) => {
      await connection.all(sql, json);
      this.committed();
    });
  }

  read(wanted: readonly Wanted[]): Promise<void> {
    return this.reader.connected((connection) => new SqliteReads(connection).read(wanted));
  }

  finalize(): Promise<void> {
    return this.reader.finalize();
  }
}
