import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import type { ApiKey } from '../../../src/core/access/api-key.js';
import type { MarketId, OrderId, StrategyId } from '../../../src/core/ids.js';
import type { OrderFilter, StrategyFilter } from '../../../src/core/ledger/query.js';
import { ALICE, anOrderDraft, aStrategy, BOB, clockAt, History, NOON } from '../../support/builders.js';
import { EACH_PLANNER, openFresh, rowsRead } from './rows-read.js';

const MANY = 1500;
const FEW = 3;
const LIMIT = 20;
const MOST = 10 * LIMIT;
const [PAST, FUTURE] = ['2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'];
const RARE = 'rare' as MarketId;
const refusal = { code: 'x', message: 'x' };
const [few, most] = [aStrategy(), aStrategy()];

/** Each filter alone finds a few orders, which are the oldest: a search for them among all reads all. */
const ORDER_FILTERS: readonly (readonly [string, OrderFilter])[] = [
  ['orders_by_status', { status: 'pending' }],
  ['orders_by_market', { marketId: RARE }],
  ['orders_by_strategy', { strategyId: few.id }],
  ['orders_by_status', { paper: false }],
  ['orders_by_moment', { placedAfter: new Date(NOON) }],
  ['orders_by_moment', { placedBefore: new Date(NOON) }],
];
const STRATEGY_FILTERS: readonly (readonly [string, StrategyFilter])[] = [
  ['strategies_by_sport', { sport: 'chess' }],
  ['strategies_paused', { isPaused: true }],
];

/** Two groups of a few orders, placed out of turn, before very many. */
function histories(): History[] {
  const at = (n: number) => (n < FEW ? FUTURE : n < 2 * FEW ? PAST : NOON);
  return Array.from({ length: MANY }, (_, n) => {
    const rare = n < FEW;
    const draft = anOrderDraft({ paper: !rare, ...(rare ? { marketId: RARE } : {}) });
    const history = new History(draft, rare ? few : most, clockAt(at(n)));
    return rare ? history : history.add({ type: 'denied', refusal });
  });
}

function aKey(n: number): ApiKey {
  const dates = { createdAt: new Date(NOON), expiresAt: null, revokedAt: null };
  return { id: `key${String(n).padStart(6, '0')}`, account: ALICE, scopes: [], digest: 'x', ...dates };
}

async function fill(ledger: SqlLedger): Promise<OrderId> {
  const strategies = Array.from({ length: MANY }, (_, n) =>
    aStrategy(n < FEW ? { sport: 'chess', isPaused: true } : {}),
  );
  const archived = Array.from({ length: MANY }, (_, n) =>
    aStrategy({ account: BOB, ...(n < FEW ? {} : { archivedAt: new Date(NOON) }) }),
  );
  await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [few, most, ...strategies] }));
  await ledger.write({ account: BOB }, () => ({ result: null, strategies: archived }));
  const made = histories();
  const events = made.flatMap((history) => history.events);
  const keys = Array.from({ length: MANY }, (_, n) => aKey(n));
  await ledger.write({ account: ALICE }, () => ({
    result: null,
    orders: made.map(({ order }) => order),
    events,
    keys,
  }));
  return made[MANY / 2]?.order.id as OrderId;
}

describe.each(EACH_PLANNER)('a page of a list on %s', (_, fresh, collectStatistics) => {
  let close: () => Promise<void>;
  let store: Store;
  let ledger: SqlLedger;
  let middle: OrderId;

  beforeAll(async () => {
    ({ store, ledger, close } = await openFresh(fresh));
    middle = await fill(ledger);
    await collectStatistics(store);
  });
  afterAll(() => close());

  const orders = (filter: OrderFilter, after?: OrderId) =>
    rowsRead(store, () => ledger.listOrders(ALICE, filter, { limit: LIMIT, ...(after && { after }) }));
  const strategies = (filter: StrategyFilter, account = ALICE) =>
    rowsRead(store, () => ledger.listStrategies(account, filter, { limit: LIMIT }));

  it.each(ORDER_FILTERS)('of orders reads few rows for what matches little: %s %j', async (_index, filter) => {
    expect(await ledger.listOrders(ALICE, filter, { limit: LIMIT })).toHaveLength(FEW);
    expect(await orders(filter)).toBeLessThanOrEqual(MOST);
    expect(await orders(filter, middle)).toBeLessThanOrEqual(MOST);
  });

  it.each<OrderFilter>([
    {},
    { status: 'denied' },
    { marketId: anOrderDraft().marketId },
    { strategyId: most.id },
    { paper: true },
    { placedAfter: new Date(PAST) },
    { placedBefore: new Date(FUTURE) },
    { placedAfter: new Date(PAST), placedBefore: new Date(FUTURE) },
  ])('of orders reads few rows for what matches most: %j', async (filter) => {
    expect(await ledger.listOrders(ALICE, filter, { limit: LIMIT, after: middle })).toHaveLength(LIMIT);
    expect(await orders(filter)).toBeLessThanOrEqual(MOST);
    expect(await orders(filter, middle)).toBeLessThanOrEqual(MOST);
  });

  it('of orders by a filter and a period is found by either', async () => {
    const [from, to] = [new Date(PAST), new Date(FUTURE)];
    const page = { limit: LIMIT };
    expect(await ledger.listOrders(ALICE, { status: 'pending', placedBefore: to }, page)).toHaveLength(0);
    expect(await ledger.listOrders(ALICE, { status: 'pending', placedAfter: from }, page)).toHaveLength(FEW);
    const all = await ledger.listOrders(ALICE, { status: 'denied', placedAfter: from, placedBefore: to }, page);
    expect(all).toHaveLength(LIMIT);
    const next = await ledger.listOrders(
      ALICE,
      { status: 'denied', placedAfter: from, placedBefore: to },
      { ...page, after: all.at(-1)?.id as OrderId },
    );
    expect(new Set([...all, ...next].map(({ id }) => id)).size).toBe(2 * LIMIT);
    if (store.dialect.name === 'sqlite') return;
    expect(await orders({ status: 'pending', placedAfter: from })).toBeLessThanOrEqual(MOST);
    expect(await orders({ status: 'denied', placedAfter: from })).toBeLessThanOrEqual(1000);
  });

  it.each(STRATEGY_FILTERS)('of strategies reads few rows for what matches little: %s %j', async (_index, filter) => {
    expect(await ledger.listStrategies(ALICE, filter, { limit: LIMIT })).toHaveLength(FEW);
    expect(await strategies(filter)).toBeLessThanOrEqual(MOST);
  });

  it('of strategies reads few rows where most are archived, or run', async () => {
    expect(await ledger.listStrategies(BOB, {}, { limit: LIMIT })).toHaveLength(FEW);
    for (const filter of [{}, { isPaused: false }, { sport: 'soccer' }]) {
      expect(await strategies(filter, BOB)).toBeLessThanOrEqual(MOST);
      expect(await strategies(filter)).toBeLessThanOrEqual(MOST);
    }
  });

  it('of events, of versions and of keys reads few rows', async () => {
    const page = { limit: LIMIT };
    const reads = [
      () => ledger.listEvents(ALICE, middle, page),
      () => ledger.listVersions(ALICE, most.id as StrategyId, page),
      () => ledger.listKeys({ ...page, after: 'key000700' }),
    ];
    for (const read of reads) expect(await rowsRead(store, read)).toBeLessThanOrEqual(MOST);
  });

  it('reads all rows without its index, so the measure can fail', async () => {
    for (const [index, filter] of ORDER_FILTERS) {
      const [row] = await indexed(store, index);
      await store.writer.raw(`drop index ${index}`);
      expect(await orders(filter), index).toBeGreaterThan(MOST);
      await store.writer.raw(row ?? '');
    }
    for (const [index, filter] of STRATEGY_FILTERS) {
      await store.writer.raw(`drop index ${index}`);
      expect(await strategies(filter), index).toBeGreaterThan(MOST);
    }
    await store.writer.raw('drop index strategies_kept');
    expect(await strategies({}, BOB)).toBeGreaterThan(MOST);
  });
});

/** The statement that made an index. */
async function indexed(store: Store, name: string): Promise<string[]> {
  if (store.dialect.name === 'sqlite') return store.reader('sqlite_master').where({ name }).pluck('sql');
  return store.reader('pg_indexes').where({ indexname: name }).pluck('indexdef');
}
