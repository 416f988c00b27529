import type { AccountId } from '../../core/ids.js';
import { StorageFault } from './fault.js';
import type { SqliteConnection } from './sqlite-connection.js';
import type { SqlitePool } from './sqlite-pool.js';
import { othersSeen, SqliteReads, storeGuarded } from './sqlite-transaction.js';
import type { GuardedStore, Version, Versions } from './store.js';
import type { Change, Wanted } from './tables.js';

/** Runs work on the connection that writes, while nothing else uses it. */
export type Hold = <T>(work: (connection: SqliteConnection) => Promise<T>) => Promise<T>;

/**
 * Stores groups of one SQLite file. `data_version` counts the commits of other connections; what this process writes on the
 * same connection but not through here is counted by `wrote`.
 */
export class SqliteGuarded implements GuardedStore {
  readonly isByAccount = false;
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

  versions(accounts: readonly AccountId[]): Promise<Versions> {
    return this.hold(async (connection) => {
      const own = this.#own;
      const version = `${own} ${await othersSeen(connection)}`;
      return new Map(accounts.map((account) => [account, version]));
    });
  }

  mayHold(version: Version): boolean {
    return numbersIn(version)[0] === this.#own;
  }

  /** Nobody writes to the file while this process is in a transaction, and all of its writes are counted. */
  needsTransaction(): boolean {
    return false;
  }

  store(changes: readonly Change[], versions: Versions): Promise<null> {
    return this.hold(async (connection) => {
      const [version = ''] = versions.values();
      if (!this.mayHold(version)) throw new StorageFault('conflict', new Error('this process wrote something else'));
      await storeGuarded(connection, changes, numbersIn(version)[1]);
      if (changes.length > 0) this.committed();
      return null;
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

/** How many writes of this process, and of others, there were. */
function numbersIn(version: Version): readonly [own: number, others: number] {
  const [own = Number.NaN, others = Number.NaN] = version.split(' ').map(Number);
  return [own, others];
}
