import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { ledgerContract, twoLedgersContract } from '../../contract/ledger.js';
import { migratedSqliteFile } from '../../support/databases.js';

ledgerContract('SQLite file', async () => {
  const file = await migratedSqliteFile();
  const ledger = await openSqlLedger(file.url, { exclusive: true });
  const close = () => ledger.close().finally(file.remove);
  return { ledger, close };
});

twoLedgersContract('SQLite file', async () => {
  const file = await migratedSqliteFile();
  const ledgers = [await openSqlLedger(file.url), await openSqlLedger(file.url)] as const;
  const close = () => Promise.all(ledgers.map((ledger) => ledger.close())).then(file.remove);
  return { ledgers, close };
});
