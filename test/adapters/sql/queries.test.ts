import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sql/database.js';
import { GROUP_LIMITS } from '../../../src/adapters/sql/group-commit.js';
import { migrate } from '../../../src/adapters/sql/migrate.js';
import { SqlLedger } from '../../../src/adapters/sql/sql-ledger.js';
import type { Store } from '../../../src/adapters/sql/store.js';
import { PAPER_CASH } from '../../../src/core/account/account.js';
import { InvariantBroken } from '../../../src/core/errors.js';
import type { OrderId } from '../../../src/core/ids.js';
import { NO_VENUE } from '../../../src/core/market/market.js';
import { ALICE, aStrategy, BOB, History, MARKET, newOrderId, newStrategyId, WHERE } from '../../support/builders.js';
import { freshPostgres, freshSqliteFile } from '../../support/databases.js';

/**
 * Indexes that are read from one end to the other: partial ones are small, and the one of ids is in the order asked for.
 * Markets in use are gathered from short lists, of days and of markets, which are read whole, as are a page and the keys of a lookup (e).
 */
const WHOLE_TABLE =
  /SCAN (?!orders USING INDEX orders_(in_flight|working|by_id)\b|page\b|e VIRTUAL\b|part\b|known\b|days\b)|^(?!.*MERGE \(UNION\)).*TEMP B-TREE FOR (ORDER|GROUP|DISTINCT)/s;

const DATABASES = [
  ['SQLite', async () => freshSqliteFile(), 'explain query plan', WHOLE_TABLE],
  ['Postgres', async () => freshPostgres().then(({ url, drop }) => ({ url, remove: drop })), 'explain', /Seq Scan/],
] as const;

describe.each(DATABASES)('a read from %s', (_, fresh, explain, slow) => {
  let database: { url: string; remove: () => Promise<void> | void };
  let store: Store;
  let ledger: SqlLedger;
  beforeEach(async () => {
    database = await fresh();
    store = await openDatabase(database.url);
    await migrate(store);
    ledger = new SqlLedger(store, GROUP_LIMITS);
  });
  afterEach(async () => {
    await ledger.close();
    await database.remove();
  });

  it('finds its rows by an index, and never reads a whole table', async () => {
    const statements: { sql: string; bindings: readonly (string | number | boolean)[] }[] = [];
    const listen = ({ sql, bindings }: (typeof statements)[number]) => statements.push({ sql, bindings });
    for (const pool of [store.reader, store.credentialReader]) pool.on('query', listen);
    const [after, strategyId] = [newOrderId(), newStrategyId()];
    for (const page of [{ limit: 5 }, { limit: 5, after }]) {
      await ledger.listOrders(ALICE, {}, page);
      await ledger.listOrders(ALICE, { status: 'open' }, page);
      await ledger.listOrders(ALICE, { marketId: MARKET }, page);
      await ledger.listOrders(ALICE, { strategyId }, page);
      await ledger.listOrders(ALICE, { paper: true }, page);
      await ledger.listOrders(ALICE, { placedAfter: new Date(0) }, page);
      await ledger.listInFlight(page);
      await ledger.listVenueOrders({}, page);
      await ledger.listVenueOrders({ working: true, paper: true }, page);
      await ledger.listEntries(ALICE, true, page);
    }
    await ledger.findOrder(ALICE, after);
    await ledger.findStrategy(ALICE, strategyId);
    await ledger.listStrategies(ALICE, {}, { limit: 5, after: strategyId });
    await ledger.listVersions(ALICE, strategyId, { limit: 5, after: 3 });
    await ledger.listEvents(ALICE, after, { limit: 5, after: 3 });
    await ledger.listByVenueOrderId(
      NO_VENUE,
      Array.from({ length: 500 }, (_, n) => `0x${n}`),
    );
    await ledger.listExternalOrders({ limit: 5, after: { venueOrderId: '0x', venue: NO_VENUE } });
    await ledger.listMarketsInUse(new Date(), { limit: 5, after: WHERE });
    await ledger.listMarketOrders({ venue: NO_VENUE, marketId: MARKET, paper: true }, { limit: 5 });
    await ledger.listMarketOrders(
      { venue: NO_VENUE, marketId: MARKET, working: true },
      { limit: 5, after: { account: ALICE, id: after } },
    );
    await ledger.findBalance(ALICE, PAPER_CASH);
    await ledger.listBalances({ limit: 5, after: { account: ALICE, ...PAPER_CASH } });
    for (const strategy of [null, strategyId]) {
      const filter = { paper: true, strategyId: strategy };
      await ledger.listPositions(ALICE, filter, { limit: 5, after: { ...WHERE, outcome: 'NO' } });
      await ledger.listEquity(ALICE, filter, { limit: 5, after: new Date() });
    }
    await ledger.findKey('key');
    await ledger.listKeys({ limit: 5, after: 'key' });
    for (const pool of [store.reader, store.credentialReader]) pool.removeListener('query', listen);
    const plans = statements.map(async ({ sql, bindings }) => {
      const plan = await store.reader.raw(`${explain} ${asRaw(sql)}`, [...bindings]);
      return `${sql}\n${JSON.stringify(plan.rows ?? plan)}`;
    });
    const bad = (await Promise.all(plans)).filter((plan) => slow.test(plan));
    expect(statements).toHaveLength(38);
    expect(bad).toEqual([]);
  });

  it('compares times before year 0 and after year 9999 correctly', async () => {
    const { order, events } = new History();
    await ledger.write({ account: ALICE }, () => ({ result: null, orders: [order], events }));
    const [first, last] = [new Date(-8.64e15), new Date(8.64e15)];
    expect(await ledger.listOrders(ALICE, { placedAfter: first, placedBefore: last }, { limit: 5 })).toEqual([order]);
    expect(await ledger.listOrders(ALICE, { placedAfter: last }, { limit: 5 })).toEqual([]);
    expect(await ledger.listOrders(ALICE, { placedBefore: first }, { limit: 5 })).toEqual([]);
  });

  it('of many orders is one statement, and a bad one fails alone', async () => {
    const histories = Array.from({ length: 20 }, () => new History());
    const orders = histories.map(({ order }) => order);
    const [bad, ...good] = orders.map(({ id }) => id);
    const events = histories.flatMap((history) => history.events);
    await ledger.write({ account: ALICE }, () => ({ result: null, orders, events }));
    await store.writer('orders').where({ id: bad }).update({ updated_at: 'never' });
    let statements = 0;
    store.reader.on('query', () => {
      statements += 1;
    });
    const find = (id = bad, account = ALICE) => ledger.findOrder(account, id as OrderId);
    const found = await Promise.allSettled([find(), find(good[0], BOB), ...good.map((id) => find(id))]);
    expect(statements).toBe(1);
    expect(found[0]).toMatchObject({ status: 'rejected', reason: expect.any(InvariantBroken) });
    const values = found.slice(1).map((one) => one.status === 'fulfilled' && one.value);
    expect(values).toEqual([undefined, ...orders.slice(1)]);
    const [, beside] = await Promise.allSettled([find('\u0000' as OrderId), find(good[0])]);
    expect(beside).toMatchObject({ status: 'fulfilled', value: orders[1] });
  });

  it('does not wait for a writer', async () => {
    const strategy = aStrategy();
    await ledger.write({ account: ALICE }, () => ({ result: null, strategies: [strategy] }));
    await store.transaction(async (tx) => {
      await tx.lock([ALICE]);
      expect(await ledger.findStrategy(ALICE, strategy.id)).toEqual(strategy);
      await ledger.ping();
    });
  });
});

/** Knex has written the statement for its driver already; `raw` wants its own marks for bindings. */
const asRaw = (sql: string): string => sql.replace(/\$\d+/g, '?');
