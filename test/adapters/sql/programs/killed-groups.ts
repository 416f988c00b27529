import { writeSync } from 'node:fs';
import { openSqlLedger } from '../../../../src/adapters/sql/index.js';
import { PostgresGuarded } from '../../../../src/adapters/sql/postgres-guarded.js';
import type { SqliteConnection } from '../../../../src/adapters/sql/sqlite-connection.js';
import { UnlockedTransaction } from '../../../../src/adapters/sql/sqlite-connection.js';
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
const isPostgres = url.startsWith('postgres');
const storing: Record<string, (...given: unknown[]) => Promise<unknown>> = (
  isPostgres ? PostgresGuarded : UnlockedTransaction
).prototype as never;
const name = isPostgres ? 'store' : 'commit';
const { [name]: store } = storing;
if (store === undefined) throw new Error(`nothing is stored by ${name}`);

storing[name] = async function killed(this: unknown, ...given) {
  left -= 1;
  if (left > 0) return store.apply(this, given);
  if (point === 'before') die();
  if (point === 'in') {
    await (this as unknown as { connection: SqliteConnection }).connection.all('begin immediate');
    await store.apply(this, given);
    die();
  }
  const stored = store.apply(this, given);
  if (point === 'during') setImmediate(die);
  await stored;
  die();
  return stored;
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
