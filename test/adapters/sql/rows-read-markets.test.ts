import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { emptyPosition } from '../../../src/core/account/position.js';
import type { MarketId, OrderId, StrategyId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import { ALICE, anOrderDraft, clockAt, History, newStrategyId, shares, usdc } from '../../support/builders.js';
import { aFill } from '../../support/life-samples.js';
import { EACH_PLANNER, openFresh, rowsRead } from './rows-read.js';

const MANY = 1500;
const FEW = 3;
const LIMIT = 20;
const MOST = 10 * LIMIT;
const [LONG_AGO, LATE] = ['2025-01-01T00:00:00.000Z', '2026-06-01T12:00:00.000Z'];
const FROM = new Date('2026-05-25T12:00:00.000Z');
const RESTING: readonly OrderChange[] = [
  { type: 'submitting' },
  { type: 'accepted', venueOrderId: 'v', delayed: false },
];
const FILLED: readonly OrderChange[] = [...RESTING, { type: 'fill', fill: aFill('all', '20') }];
const SETTLED: readonly OrderChange[] = [...FILLED, { type: 'settled', returned: usdc('20') }];
const [few, most] = [newStrategyId(), newStrategyId()];

/** Indexes that hold no order with a result, and the one of results from a day on. */
const LEAVES_OUT_THE_SETTLED = /INDEX (orders_(working_by_market|unsettled)|orders_settled_by_day \(<expr>[>=]\?.*\))/;

const market = (kind: string, n: number) => `${kind}-${String(n).padStart(5, '0')}` as MarketId;

/** Very many markets that were settled long ago, with names between those of the few that still matter. */
function histories(): History[] {
  const one = (kind: string, n: number, at: string, changes: readonly OrderChange[]) =>
    new History(anOrderDraft({ marketId: market(kind, n) }), null, clockAt(at)).add(...changes);
  const few = Array.from({ length: FEW }, (_, n) => [
    one('working', n, LONG_AGO, RESTING),
    one('filled', n, LONG_AGO, FILLED),
    one('late', n, LATE, SETTLED),
  ]);
  return [...few.flat(), ...Array.from({ length: MANY }, (_, n) => one('old', n, LONG_AGO, SETTLED))];
}

async function fill(ledger: SqlLedger): Promise<void> {
  const made = histories();
  const positions = Array.from({ length: MANY }, (_, n) => {
    const key = { account: ALICE, paper: true, venue: NO_VENUE, marketId: market('old', n), outcome: 'YES' } as const;
    const part = (strategyId: StrategyId | null) => ({ ...emptyPosition({ ...key, strategyId }), shares: shares('1') });
    return n < MANY - FEW ? [part(null), part(most)] : [part(null), part(few)];
  });
  await ledger.write({ account: ALICE }, () => ({
    result: null,
    orders: made.map(({ order }) => order),
    events: made.flatMap(({ events }) => events),
    positions: positions.flat(),
  }));
}

describe.each(EACH_PLANNER)('on %s', (_, fresh, collectStatistics) => {
  let close: () => Promise<void>;
  let store: Store;
  let ledger: SqlLedger;

  beforeAll(async () => {
    ({ store, ledger, close } = await openFresh(fresh));
    await fill(ledger);
    await collectStatistics(store);
  });
  afterAll(() => close());

  it('the markets in use cost the same however many were settled before', async () => {
    const read = () => ledger.listMarketsInUse(FROM, { limit: LIMIT });
    const ref = (kind: string, n: number) => ({ venue: NO_VENUE, marketId: market(kind, n) });
    const kinds = ['filled', 'late', 'working'];
    expect(await read()).toEqual(kinds.flatMap((kind) => [0, 1, 2].map((n) => ref(kind, n))));
    expect(await ledger.listMarketsInUse(FROM, { limit: LIMIT, after: ref('late', 1) })).toHaveLength(1 + FEW);
    if (store.dialect.name === 'postgres') expect(await rowsRead(store, read)).toBeLessThanOrEqual(MOST);
    else for (const step of await searches(store, read)) expect(step).toMatch(LEAVES_OUT_THE_SETTLED);
  });

  it('a settlement’s reads of a market do not grow with other markets', async () => {
    const marketId = market('filled', 1);
    for (const filter of [
      { venue: NO_VENUE, marketId, paper: true },
      { venue: NO_VENUE, marketId, working: true },
    ] as const) {
      const first = { limit: LIMIT };
      const later = { limit: LIMIT, after: { account: ALICE, id: '' as OrderId } };
      for (const page of [first, later])
        expect(await rowsRead(store, () => ledger.listMarketOrders(filter, page))).toBeLessThanOrEqual(MOST);
    }
    expect(await ledger.listMarketOrders({ venue: NO_VENUE, marketId, paper: true }, { limit: LIMIT })).toHaveLength(1);
  });

  it.each([
    ['of the account', null, LIMIT],
    ['of a strategy with few', few, FEW],
    ['of a strategy with most', most, LIMIT],
  ])('a page of the positions %s reads few rows', async (_of, strategyId, found) => {
    const filter = { paper: true, strategyId };
    expect(await ledger.listPositions(ALICE, filter, { limit: LIMIT })).toHaveLength(found);
    for (const page of [
      { limit: LIMIT },
      { limit: LIMIT, after: { venue: NO_VENUE, marketId: market('old', 700), outcome: 'NO' } as const },
    ])
      expect(await rowsRead(store, () => ledger.listPositions(ALICE, filter, page))).toBeLessThanOrEqual(MOST);
  });
});

/** How SQLite searches the orders for a read, a step each. Its driver hands out no counts. */
async function searches(store: Store, read: () => Promise<unknown>): Promise<string[]> {
  const asked: { sql: string; bindings: string[] }[] = [];
  const listen = (statement: (typeof asked)[number]) => asked.push(statement);
  store.reader.on('query', listen);
  await read();
  store.reader.removeListener('query', listen);
  const plans = asked.map(({ sql, bindings }) => store.reader.raw(`explain query plan ${sql}`, bindings));
  const steps: { detail: string }[] = (await Promise.all(plans)).flat();
  return steps.map(({ detail }) => detail).filter((detail) => detail.includes(' orders '));
}
