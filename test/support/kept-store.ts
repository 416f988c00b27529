import { openDatabase } from '../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../src/adapters/sql/group-commit.js';
import { migrate } from '../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../src/adapters/sql/sql-ledger.js';
import { seenAs } from './seen-as.js';

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
    ledger: () => new SqlLedger(seenAs(store, { close: async () => {} }), GROUP_LIMITS, null),
    close: () => store.close(),
  };
}
