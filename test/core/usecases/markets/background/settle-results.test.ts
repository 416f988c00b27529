import { describe, expect, it } from 'vitest';
import { NoMarketData } from '../../../../../src/adapters/market-data/no-market-data.js';
import { MemoryLedger } from '../../../../../src/adapters/memory/index.js';
import { MarketDataUnavailable, StorageUnavailable } from '../../../../../src/core/errors.js';
import type { MarketId } from '../../../../../src/core/ids.js';
import { NO_WON, type Payout, YES_WON } from '../../../../../src/core/market/lifecycle.js';
import { type Market, NO_VENUE, unlistedMarket } from '../../../../../src/core/market/market.js';
import { SettleMarket } from '../../../../../src/core/usecases/markets/background/settle-market.js';
import { SettleResults } from '../../../../../src/core/usecases/markets/background/settle-results.js';
import { marketsAt } from '../../../../../src/core/venues/venues.js';
import { anOrderContext, clockAt, NOON, usdc } from '../../../../support/builders.js';
import { Trading } from '../../../../support/trading.js';

/** Markets whose results the test sets; the one named `silent` does not answer. */
class Results extends NoMarketData {
  readonly payouts = new Map<string, Payout>();

  override async find(id: MarketId): Promise<Market> {
    if (id === 'silent') throw new MarketDataUnavailable();
    return { ...unlistedMarket(id), payout: this.payouts.get(id) ?? null };
  }
}

function fixture(areFillsLate = true) {
  const clock = clockAt(NOON);
  const trading = new Trading(new MemoryLedger(), { context: anOrderContext({ clock }) });
  const results = new Results();
  const settle = new SettleMarket(trading.ledger, trading.ports.venues, trading.context);
  const settleResults = new SettleResults(trading.ledger, marketsAt(results), settle, clock, areFillsLate);
  return { trading, results, clock, settle: async () => (await settleResults.execute()).orders, settleResults };
}

describe('Looking for results', () => {
  it('settles what has a confirmed result, and leaves the rest', async () => {
    const { trading, results, settle } = fixture();
    const open = await trading.place({ marketId: 'open' as MarketId });
    const ended = await trading.place({ marketId: 'ended' as MarketId });
    results.payouts.set('ended', YES_WON);
    expect(await settle()).toBe(1);
    expect((await trading.orders.one(ended.account, ended.id)).settlement?.returned).toBe(usdc('20'));
    expect((await trading.orders.one(open.account, open.id)).settlement).toBeNull();
  });

  it('goes on past a market that does not answer, and says which', async () => {
    const { trading, results, settleResults } = fixture();
    await trading.place({ marketId: 'silent' as MarketId });
    await trading.place({ marketId: 'yet-another' as MarketId });
    results.payouts.set('yet-another', NO_WON);
    const failures = [{ market: { venue: NO_VENUE, marketId: 'silent' }, error: expect.any(MarketDataUnavailable) }];
    expect(await settleResults.execute()).toEqual({ orders: 1, failures });
  });

  it('says nothing of a settled market that does not answer any more', async () => {
    const { trading, results, settleResults } = fixture();
    await trading.place({ marketId: 'ended' as MarketId });
    results.payouts.set('ended', YES_WON);
    await settleResults.execute();
    results.find = () => Promise.reject(new MarketDataUnavailable());
    expect(await settleResults.execute()).toEqual({ orders: 0, failures: [] });
  });

  it('goes on past a market that cannot be settled, and says which', async () => {
    const { trading, results, settleResults } = fixture();
    for (const marketId of ['broken', 'well'] as MarketId[]) {
      await trading.place({ marketId });
      results.payouts.set(marketId, YES_WON);
    }
    const list = trading.ledger.listMarketOrders.bind(trading.ledger);
    const error = new StorageUnavailable('canceling statement due to statement timeout');
    trading.ledger.listMarketOrders = (filter, page) =>
      filter.marketId === 'broken' ? Promise.reject(error) : list(filter, page);
    const failures = [{ market: { venue: NO_VENUE, marketId: 'broken' }, error }];
    expect(await settleResults.execute()).toEqual({ orders: 1, failures });
  });

  it('asks for many markets at once', async () => {
    const { trading, results, settle } = fixture();
    for (let n = 0; n < 30; n += 1) await trading.place({ marketId: `market-${n}` as MarketId });
    let [asked, most] = [0, 0];
    const { find } = results;
    results.find = async (id) => {
      asked += 1;
      most = Math.max(most, asked);
      const market = await find.call(results, id);
      asked -= 1;
      return market;
    };
    await settle();
    expect(most).toBe(30);
  });

  it('books what has something left to do before what is settled', async () => {
    const { trading, results, settle } = fixture();
    await trading.place({ marketId: 'a-settled' as MarketId });
    results.payouts.set('a-settled', YES_WON);
    await settle();
    await trading.place({ marketId: 'b-open' as MarketId });
    const asked: string[] = [];
    const { find } = results;
    results.find = (id) => {
      asked.push(id);
      return find.call(results, id);
    };
    await settle();
    expect(asked).toEqual(['b-open', 'a-settled']);
  });

  it('rereads orders of a booked market every ten minutes, or when amended', async () => {
    const { trading, results, clock, settle } = fixture();
    let reads = 0;
    const list = trading.ledger.listMarketOrders.bind(trading.ledger);
    trading.ledger.listMarketOrders = (...asked) => {
      reads += 1;
      return list(...asked);
    };
    const readsOf = async (look: () => Promise<number>): Promise<readonly [settled: number, isRead: boolean]> => {
      const before = reads;
      return [await look(), reads > before];
    };
    await trading.place({ marketId: 'ended' as MarketId });
    results.payouts.set('ended', YES_WON);
    expect(await readsOf(settle)).toEqual([1, true]);
    // Something may have been open until then.
    expect(await readsOf(settle)).toEqual([0, true]);
    clock.tick(10 * 60 * 1000 - 1);
    expect(await readsOf(settle)).toEqual([0, false]);
    clock.tick(1);
    expect(await readsOf(settle)).toEqual([0, true]);
    results.payouts.set('ended', NO_WON);
    expect(await readsOf(settle)).toEqual([1, true]);
    await trading.place({ marketId: 'ended' as MarketId });
    expect(await readsOf(settle)).toEqual([1, true]);
  });

  it('never rereads orders of a booked market on a tape, but when amended', async () => {
    const { trading, results, clock, settle } = fixture(false);
    const { id, account } = await trading.place({ marketId: 'ended' as MarketId });
    results.payouts.set('ended', YES_WON);
    await settle();
    await settle();
    const list = trading.ledger.listMarketOrders.bind(trading.ledger);
    trading.ledger.listMarketOrders = () => Promise.reject(new StorageUnavailable('read again'));
    clock.tick(24 * 60 * 60 * 1000);
    expect(await settle()).toBe(0);
    trading.ledger.listMarketOrders = list;
    results.payouts.set('ended', NO_WON);
    expect(await settle()).toBe(1);
    expect((await trading.orders.one(account, id)).settlement?.returned).toBe(usdc('0'));
  });

  it('books an amended result within seven days, and no longer', async () => {
    const { trading, results, clock, settle } = fixture();
    await trading.place({ marketId: 'ended' as MarketId });
    results.payouts.set('ended', YES_WON);
    await settle();
    clock.tick(7 * 24 * 60 * 60 * 1000);
    results.payouts.set('ended', NO_WON);
    expect(await settle()).toBe(1);
    clock.tick(7 * 24 * 60 * 60 * 1000 + 1);
    results.payouts.set('ended', YES_WON);
    expect(await settle()).toBe(0);
  });
});
