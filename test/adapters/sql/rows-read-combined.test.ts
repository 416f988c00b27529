import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { OrderFilter } from '../../../src/core/ledger/query.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ALICE, anOrderDraft, aStrategy, clockAt, History, NOON } from '../../support/builders.js';
import { EACH_PLANNER, openFresh, rowsRead } from './rows-read.js';

const HALF = 600;
const LIMIT = 20;
const MOST = 10 * LIMIT;
const refusal = { code: 'x', message: 'x' };
const [one, other] = [aStrategy(), aStrategy()];
const USUAL = anOrderDraft().marketId;
const RARE = 'rare' as MarketId;

/** The one half is denied, on paper and of one strategy, the other pending, with money and of another. */
function histories(): History[] {
  return Array.from({ length: 2 * HALF }, (_, n) => {
    const isOne = n % 2 === 0;
    const draft = anOrderDraft({ paper: isOne, ...(n < 4 ? { marketId: RARE } : {}) });
    const history = new History(draft, isOne ? one : other, clockAt(NOON));
    return isOne ? history.add({ type: 'denied', refusal }) : history;
  });
}

describe.each(EACH_PLANNER)('a page of orders by several filters on %s', (_, fresh, collectStatistics) => {
  let close: () => Promise<void>;
  let store: Store;
  let ledger: SqlLedger;

  beforeAll(async () => {
    ({ store, ledger, close } = await openFresh(fresh));
    const made = histories();
    const orders = made.map(({ order }) => order);
    const events = made.flatMap((history) => history.events);
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [one, other], orders, events }));
    await collectStatistics(store);
  });
  afterAll(() => close());

  const list = (filter: OrderFilter) => ledger.listOrders(ALICE, filter, { limit: LIMIT });

  it.each<OrderFilter>([
    { status: 'denied', paper: false },
    { status: 'denied', strategyId: other.id },
    { status: 'denied', strategyId: other.id, marketId: USUAL },
    { status: 'denied', paper: false, venue: NO_VENUE },
    { status: 'pending', paper: true, marketId: USUAL },
    { paper: true, strategyId: other.id },
    { paper: true, strategyId: other.id, venue: NO_VENUE, marketId: USUAL },
  ])('reads few rows where filters match half each, and together none: %j', async (filter) => {
    expect(await list(filter)).toEqual([]);
    expect(await rowsRead(store, () => list(filter))).toBeLessThanOrEqual(MOST);
  });

  it.each<OrderFilter>([
    { status: 'denied', paper: true },
    { status: 'denied', strategyId: one.id },
    { paper: false, strategyId: other.id },
    { paper: true, venue: NO_VENUE },
    { venue: NO_VENUE },
  ])('reads few rows where half of the orders meet all filters: %j', async (filter) => {
    expect(await list(filter)).toHaveLength(LIMIT);
    expect(await rowsRead(store, () => list(filter))).toBeLessThanOrEqual(MOST);
  });

  it('reads few rows of a market with few orders, whatever the filters', async () => {
    for (const filter of [
      { status: 'denied' },
      { paper: true },
      { strategyId: one.id },
      { venue: NO_VENUE },
    ] as const) {
      const asked = { ...filter, marketId: RARE };
      expect((await list(asked)).length).toBeGreaterThan(1);
      expect(await rowsRead(store, () => list(asked))).toBeLessThanOrEqual(MOST);
    }
  });
});
