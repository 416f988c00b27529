import { afterAll, beforeAll, expect, it } from 'vitest';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { openPostgres, UNUSED_METHODS } from '../../../src/adapters/sql/postgres.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import type { OrderId } from '../../../src/core/ids.js';
import type { OrderFilter } from '../../../src/core/ledger/query.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ALICE, anOrderDraft, aStrategy, clockAt, History, NOON } from '../../support/builders.js';
import { type FreshPostgres, freshPostgres } from '../../support/databases.js';
import { rowsRead } from './rows-read.js';

const MANY = 1600;
const LIMIT = 20;
const MOST = 10 * LIMIT;
const [PAST, FUTURE] = ['2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];
const refusal = { code: 'x', message: 'x' };
const [one, other] = [aStrategy(), aStrategy()];

/** Pages that Postgres would read in other ways. */
const PAGES: readonly OrderFilter[] = [
  { venue: NO_VENUE },
  { status: 'denied', strategyId: one.id },
  { placedAfter: new Date(PAST) },
];

/** As the tests start it: with the planner and the compiler as Postgres comes. */
let database: FreshPostgres;
let store: Store;
let ledger: SqlLedger;
let middle: OrderId;

beforeAll(async () => {
  database = await freshPostgres();
  store = openPostgres(database.url, { poolSize: 1 });
  await migrate(store);
  ledger = new SqlLedger(store, GROUP_LIMITS);
  const made = Array.from({ length: MANY }, (_, n) => {
    const isOne = n % 2 === 0;
    const history = new History(
      anOrderDraft({ paper: isOne }),
      isOne ? one : other,
      clockAt(n < 3 ? FUTURE : n < 6 ? PAST : NOON),
    );
    return isOne ? history.add({ type: 'denied', refusal }) : history;
  });
  const orders = made.map(({ order }) => order);
  const events = made.flatMap((history) => history.events);
  await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [one, other], orders, events }));
  middle = orders[MANY / 2]?.id as OrderId;
  // The statistics stay those of one moment: a vacuum in the middle of a test would change what a plan costs.
  for (const table of ['orders', 'strategies'])
    await store.writer.raw(`alter table ${table} set (autovacuum_enabled = off)`);
  await store.writer.raw('analyze');
});
afterAll(async () => {
  await ledger.close();
  await database.drop();
});

async function mostRead(): Promise<number> {
  const rows = [];
  for (const filter of PAGES)
    for (const page of [{ limit: LIMIT }, { limit: LIMIT, after: middle }])
      rows.push(await rowsRead(store, () => ledger.listOrders(ALICE, filter, page)));

  return Math.max(...rows);
}

it.each(UNUSED_METHODS)('a page costs many rows only if its connection may use %s', async (method) => {
  expect(await mostRead()).toBeLessThanOrEqual(MOST);
  await store.writer.raw(`set enable_${method} = on`);
  expect(await mostRead()).toBeGreaterThan(MOST);
  await store.writer.raw(`set enable_${method} = off`);
});

it('no connection has statements compiled', async () => {
  for (const pool of [store.writer, store.reader, store.credentialReader]) {
    const { rows } = await pool.raw('show jit');
    expect(rows).toEqual([{ jit: 'off' }]);
  }
});
