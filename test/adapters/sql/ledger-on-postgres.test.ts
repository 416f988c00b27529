import { afterAll, beforeAll } from 'vitest';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { emptyTables } from '../../support/partitioned.js';

/** One for all tests, emptied after each: a new one takes longer to make than a test. */
let database: FreshPostgres;

beforeAll(async () => {
  database = await freshPostgres();
});

afterAll(() => database.drop());

ledgerContract('Postgres', async () => {
  const ledger = await openSqlLedger(database.url);
  return { ledger, close: () => ledger.close().then(() => emptyTables(database.url)) };
});

twoLedgersContract('Postgres', async () => {
  const ledgers = [await openSqlLedger(database.url), await openSqlLedger(database.url)] as const;
  const close = () => Promise.all(ledgers.map((ledger) => ledger.close())).then(() => emptyTables(database.url));
  return { ledgers, close };
});
