import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger, type SqlLedger } from '../../../src/adapters/sql/index.js';
import { appliedSteps } from '../../../src/adapters/sql/migrate.js';
import { MIGRATIONS } from '../../../src/adapters/sql/migrations/index.js';
import { uuidV7 } from '../../../src/adapters/system/system.js';
import { StorageUnavailable } from '../../../src/core/errors.js';
import type { AccountId } from '../../../src/core/ids.js';
import type { AccountEvent } from '../../../src/core/ledger/event-log.js';
import { found } from '../../support/audited.js';
import { ALICE, anOrderContext, BOB } from '../../support/builders.js';
import { EACH_DATABASE, type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { runs } from '../../support/runs.js';
import { Trading } from '../../support/trading.js';
import { OPEN, startLedger } from './ledger-process.js';
import { Operator } from './postgres-operator.js';

/** Several seconds, and a minute where tests run longer. */
const SECONDS = Math.min(60, runs(4));
const PAGE = 500;
const CHECKED = { storeCheck: true };

describe('two servers that write the same accounts', () => {
  let database: FreshPostgres;
  let ledgers: SqlLedger[];
  beforeEach(async () => {
    database = await freshPostgres();
    await (await openSqlLedger(database.url)).close();
    ledgers = [];
  });
  afterEach(async () => {
    await Promise.all(ledgers.map((ledger) => ledger.close()));
    await database.drop();
  });

  it.each([
    ['', false],
    [', while their connections are ended again and again', true],
  ])(
    'lose and duplicate no order, and leave no hole in the log%s',
    { timeout: 1000 * (SECONDS + 120) },
    async (_, isCut) => {
      for (const _ of [1, 2]) ledgers.push(await openSqlLedger(database.url, CHECKED));
      const until = performance.now() + 1000 * SECONDS;
      const answered: string[] = [];
      const trade = async (ledger: SqlLedger, account: AccountId) => {
        const trading = new Trading(ledger, { context: anOrderContext({ ids: uuidV7 }) });
        while (performance.now() < until) {
          const order = await trading.place({ account }).catch(unlessUnavailable);
          if (order !== null) answered.push(order.id);
        }
      };
      const cutting = isCut ? cut(database.url, until) : null;
      const traders = ledgers.flatMap((ledger) => [ALICE, ALICE, ALICE, BOB].map((account) => trade(ledger, account)));
      await Promise.all([...traders, cutting]);
      const [ledger] = ledgers as [SqlLedger];
      const orders = [...(await ordersOf(ledger, ALICE)), ...(await ordersOf(ledger, BOB))];
      expect(new Set(orders).size).toBe(orders.length);
      expect(answered.filter((id) => !orders.includes(id))).toEqual([]);
      if (!isCut) expect(orders.length).toBe(answered.length);
      for (const account of [ALICE, BOB]) {
        const log = await logOf(ledger, account);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((__, index) => index + 1));
      }
      expect(await found(ledger)).toEqual([]);
    },
  );
});

/** Whoever is told that the store is unavailable does not know whether the order was stored. */
function unlessUnavailable(error: unknown): null {
  if (error instanceof StorageUnavailable) return null;
  throw error;
}

async function cut(url: string, until: number): Promise<void> {
  const operator = await Operator.at(url);
  while (performance.now() < until) await operator.endOthers();
  await operator.close();
}

async function ordersOf(ledger: SqlLedger, account: AccountId): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const last = ids.at(-1) as never;
    const page = await ledger.listOrders(account, {}, { limit: PAGE, ...(last === undefined ? {} : { after: last }) });
    ids.push(...page.map(({ id }) => id));
    if (page.length < PAGE) return ids;
  }
}

async function logOf(ledger: SqlLedger, account: AccountId): Promise<AccountEvent[]> {
  const events: AccountEvent[] = [];
  for (;;) {
    const page = await ledger.log.list(account, {}, { limit: PAGE, after: events.at(-1)?.seq ?? 0 });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

it.each(EACH_DATABASE)('five processes that start at once make the schema on %s once', async (_, fresh) => {
  const database = await fresh();
  const processes = Array.from({ length: 5 }, () => startLedger(database.url, 'shared'));
  await Promise.all(processes.map((started) => started.says(OPEN)));
  await Promise.all(processes.map((started) => started.kill('SIGKILL')));
  const store = await openDatabase(database.url);
  expect(await appliedSteps(store)).toEqual(MIGRATIONS.map(({ name }) => name));
  await store.close();
  await database.remove();
});
