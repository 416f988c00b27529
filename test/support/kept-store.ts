import { openDatabase } from '../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../src/adapters/sql/group-commit.js';
import { migrate } from '../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../src/adapters/sql/store.js';

/** A database whose connections outlive the ledgers on it: opening them takes longer than most tests of a ledger. */
export interface KeptStore {
  /** A ledger that knows nothing yet, as a server that has just started. */
  ledger(): SqlLedger;
  close(): Promise<void>;
}

/** Connects to a database, and migrates it. */
export async function keepStore(url: string): Promise<KeptStore> {
  const store = await openDatabase(url);
  await migrate(store);
  return {
    ledger: () => new SqlLedger(withoutClose(store), GROUP_LIMITS, null),
    close: () => store.close(),
  };
}

const withoutClose = (store: Store): Store =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === 'close') return async () => {};
      const value: unknown = Reflect.get(target, name);
      // A query builder is a function, too.
      return typeof value === 'function' && name in Object.getPrototypeOf(target) ? value.bind(target) : value;
    },
  });
