import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';
import { migratedPostgres } from '../../support/databases.js';

ledgerContract('Postgres', async () => {
  const database = await migratedPostgres();
  const ledger = await openSqlLedger(database.url);
  return { ledger, close: () => ledger.close().finally(database.drop) };
});

twoLedgersContract('Postgres', async () => {
  const database = await migratedPostgres();
  const ledgers = [await openSqlLedger(database.url), await openSqlLedger(database.url)] as const;
  const close = () => Promise.all(ledgers.map((ledger) => ledger.close())).then(database.drop);
  return { ledgers, close };
});
