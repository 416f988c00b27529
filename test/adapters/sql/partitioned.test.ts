import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { type KeptStore, keepStore } from '../../support/kept-store.js';
import { emptyTables, FOUND_WITHOUT_ACCOUNT, partitionByAccount, wholeTables } from '../../support/partitioned.js';

/** Of two, in which the accounts of the contract lie apart. */
const PARTITIONS = 2;
const NAME = 'Postgres, its tables in partitions by account';

/** One for all tests, emptied after each: its many tables take longer to make than a test. */
let database: FreshPostgres;
let stores: readonly [KeptStore, KeptStore];

beforeAll(async () => {
  database = await freshPostgres();
  const ledger = await openSqlLedger(database.url);
  await ledger.close();
  await partitionByAccount(database.url, PARTITIONS);
  stores = [await keepStore(database.url), await keepStore(database.url)];
});

afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
  await database.drop();
});

it('only tables of no account, or read without one, are unpartitioned', async () => {
  const ofNoAccount = [
    'bookmarks',
    'external_orders',
    'group_marks',
    'leases',
    'market_prices',
    'schema_steps',
    'sessions',
  ];
  expect(await wholeTables(database.url)).toEqual([...FOUND_WITHOUT_ACCOUNT, ...ofNoAccount].sort());
});

ledgerContract(NAME, async () => {
  const ledger = stores[0].ledger();
  return { ledger, close: () => ledger.close().then(() => emptyTables(database.url)) };
});

twoLedgersContract(NAME, async () => {
  const ledgers = [stores[0].ledger(), stores[1].ledger()] as const;
  const close = () => Promise.all(ledgers.map((ledger) => ledger.close())).then(() => emptyTables(database.url));
  return { ledgers, close };
});
