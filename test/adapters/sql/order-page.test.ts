import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { openSqlLedger } from '../../../src/adapters/sql/index.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { OrderLists, ordersIn } from '../../../src/adapters/sql/order-lists.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import type { OrderFilter } from '../../../src/core/ledger/query.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ALICE, anOrderDraft, History, MARKET, newStrategyId } from '../../support/builders.js';
import { EACH_DATABASE } from '../../support/databases.js';
import { aFill } from '../../support/life-samples.js';

const accepted = { type: 'accepted', venueOrderId: 'venue-1', delayed: false } as const;

/** An order of 20 shares with fills whose names sort against their numbers. */
function filled(times: number): History {
  const history = new History(anOrderDraft()).add({ type: 'submitting' }, accepted);
  for (let n = 0; n < times; n++) history.add({ type: 'fill', fill: aFill(`${9 - n}`, '5') });
  return history;
}

describe.each(EACH_DATABASE)('a page of orders on %s', (_, fresh) => {
  it('has each order once, newest first, with its fills in order', async () => {
    const { url, remove } = await fresh();
    const ledger = await openSqlLedger(url);
    try {
      const histories = [0, 3, 1, 4, 0, 2].map(filled);
      const orders = histories.map(({ order }) => order);
      const events = histories.flatMap((history) => history.events);
      await ledger.write({ account: ALICE }, () => ({ result: null, orders, events }));
      const page = await ledger.listOrders(ALICE, {}, { limit: 5 });
      expect(page).toEqual(orders.toReversed().slice(0, 5));
      expect(page.map(({ fills }) => fills.map(({ tradeId }) => tradeId).join(''))).toEqual([
        '98',
        '',
        '9876',
        '9',
        '987',
      ]);
      const byMoment = await ledger.listOrders(ALICE, { placedAfter: new Date(0) }, { limit: 5 });
      expect(byMoment).toEqual(page);
    } finally {
      await ledger.close();
      await remove();
    }
  });
});

describe('a page of orders on SQLite', () => {
  it.each<OrderFilter>([
    { marketId: MARKET },
    { marketId: MARKET, status: 'filled' },
    { marketId: MARKET, paper: false },
    { marketId: MARKET, paper: false, status: 'filled', venue: NO_VENUE },
    { marketId: MARKET, strategyId: newStrategyId(), venue: NO_VENUE },
    { marketId: MARKET, paper: false, oldestFirst: true },
  ])('reads only orders that meet all of %j, by index', async (filter) => {
    const store = await openDatabase('sqlite::memory:');
    await migrate(store);
    const asked: { sql: string; bindings: readonly string[] }[] = [];
    store.reader.on('query', (statement) => asked.push(statement));
    await new OrderLists(store).byId(ALICE, filter, { limit: 5 });
    const [{ sql, bindings } = { sql: '', bindings: [] }] = asked;
    const plan: { detail: string }[] = await store.reader.raw(`explain query plan ${sql}`, [...bindings]);
    const lists = plan.filter(({ detail }) => detail.includes(' orders USING '));
    expect(lists.map(({ detail }) => detail)).toEqual(lists.map(() => expect.stringContaining('COVERING INDEX')));
    expect(lists).not.toEqual([]);
    await store.close();
  });
});

it('a page lacking the first fill of an order is refused', () => {
  const further = ['id', 2, ...Array.from({ length: 11 }, () => null)];
  expect(() => ordersIn(JSON.stringify([further]))).toThrow(InvariantBroken);
});
