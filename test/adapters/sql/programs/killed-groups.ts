import { writeSync } from 'node:fs';
import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { PostgresGuarded } from '../../../../src/adapters/sql/postgres-guarded.js';
import { SqliteGuarded } from '../../../../src/adapters/sql/sqlite-guarded.js';
import { othersSeen, storeGuarded } from '../../../../src/adapters/sql/sqlite-transaction.js';
import type { GuardedStore, Versions } from '../../../../src/adapters/sql/store.js';
import type { Change } from '../../../../src/adapters/sql/tables.js';
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
const Guarded = url.startsWith('postgres') ? PostgresGuarded : SqliteGuarded;
const { store } = Guarded.prototype;

Guarded.prototype.store = async function killed(this: GuardedStore, changes: readonly Change[], versions: Versions) {
  left -= 1;
  if (left > 0) return store.call(this as never, changes, versions) as Promise<null>;
  if (point === 'before') die();
  if (point === 'in' && this instanceof SqliteGuarded)
    await this.hold(async (connection) => {
      await connection.all('begin immediate');
      await storeGuarded(connection, changes, await othersSeen(connection));
      die();
    });
  const storing = store.call(this as never, changes, versions) as Promise<null>;
  if (point === 'during') setImmediate(die);
  await storing;
  die();
  return storing;
};

const ledger = await openSqlLedger(url, { exclusive: true, storeCheck: true });
const trading = new Trading(ledger, { context: anOrderContext({ ids: uuidV7 }) });

/** The pipe may be full for a moment. */
function tell(text: string): void {
  for (;;) {
    try {
      writeSync(1, text);
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function trade(account: AccountId): Promise<void> {
  for (;;) {
    const { id } = await trading.place({ account });
    tell(`placed ${id}\n`);
  }
}

await Promise.all(Array.from({ length: 24 }, (_, n) => trade(`account-${n % 3}` as AccountId)));
