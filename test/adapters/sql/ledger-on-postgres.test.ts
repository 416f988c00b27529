import { afterAll, beforeAll } from 'vitest';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { type KeptStore, keepStore } from '../../support/kept-store.js';
import { emptyTables } from '../../support/partitioned.js';

/** One for all tests, emptied after each: a new one takes longer to make than a test. */
let database: FreshPostgres;
let stores: readonly [KeptStore, KeptStore];

beforeAll(async () => {
  database = await freshPostgres();
  stores = [await keepStore(database.url), await keepStore(database.url)];
});

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

ledgerContract('Postgres', async () => {
  const ledger = stores[0].ledger();
  return { ledger, close: () => ledger.close().then(() => emptyTables(database.url)) };
});

twoLedgersContract('Postgres', async () => {
  const ledgers = [stores[0].ledger(), stores[1].ledger()] as const;
  const close = () => Promise.all(ledgers.map((ledger) => ledger.close())).then(() => emptyTables(database.url));
  return { ledgers, close };
});
