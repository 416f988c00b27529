import { writeSync } from 'node:fs';
import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { SqliteGuarded } from '../../../../src/adapters/sql/sqlite-guarded.js';
import { storeGuarded } from '../../../../src/adapters/sql/sqlite-transaction.js';
import { uuidV7 } from '../../../../src/adapters/system/system.js';
import type { AccountId } from '../../../../src/core/ids.js';
import { anOrderContext } from '../../../support/builders.js';
import { Trading } from '../../../support/trading.js';

/**
 * Places orders, many at a time, until its process is killed at one point of a group: `before` its statement, `in` its
 * transaction, `during` the statement, or `after` it. Writes `placed ID` for each order that was answered. Exclusive, so
 * that what is killed is a server.
 */
const [url = '', point, groups] = process.argv.slice(2);

const die = () => process.kill(process.pid, 'SIGKILL');
let left = Number(groups);
const { store } = SqliteGuarded.prototype;

SqliteGuarded.prototype.store = async function killed(changes, version) {
  left -= 1;
  if (left > 0) return store.call(this, changes, version);
  if (point === 'before') die();
  if (point === 'in')
    await this.hold(async (connection) => {
      await connection.all('begin immediate');
      await storeGuarded(connection, changes, version.others);
      die();
    });
  const storing = store.call(this, changes, version);
  if (point === 'during') setImmediate(die);
  await storing;
  die();
};

const ledger = await openSqlLedger(url, { exclusive: true, storeCheck: true });
const trading = new Trading(ledger, { context: anOrderContext({ ids: uuidV7 }) });

async function trade(account: AccountId): Promise<void> {
  for (;;) {
    const { id } = await trading.place({ account });
    writeSync(1, `placed ${id}\n`);
  }
}

await Promise.all(Array.from({ length: 24 }, (_, n) => trade(`account-${n % 3}` as AccountId)));
