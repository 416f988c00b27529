import { describe, expect, test } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import type { SignalName } from '../../../../src/core/signal/signal.js';
import type { Asker } from '../../../../src/ports/market-data.js';
import { ALICE, BOB, price } from '../../../support/builders.js';
import { CONDITION } from '../../../support/scripted-market.js';
import { HOME, strategyFixture } from '../../../support/strategy-fixture.js';

const LOOK: Asker = { account: ALICE, purpose: 'look' };
const ORDER: Asker = { account: ALICE, purpose: 'order' };
const FOR_ALL: Asker = { account: null, purpose: 'look' };
const FOR_RESULTS: Asker = { account: null, purpose: 'result' };

/** A strategy that bets and sells, and for whom its source of markets is asked from now on. */
async function fixture() {
  const rules = { ...HOME, exit: { takeProfit: { price: price('0.60') } } };
  const staged = await strategyFixture({ strategy: { rules } });
  const { marketData } = staged.ports.venues.default;
  const asked: (Asker | undefined)[] = [];
  const { find, search, book } = marketData;
  marketData.find = (id, asker) => {
    asked.push(asker);
    return find.call(marketData, id);
  };
  marketData.search = (query, page, asker) => {
    asked.push(asker);
    return search.call(marketData, query, page);
  };
  marketData.book = (market, asker) => {
    asked.push(asker);
    return book.call(marketData, market);
  };
  /** Those for whom this asks, each once. */
  const by = async (work: () => Promise<unknown>) => {
    asked.length = 0;
    await work();
    return [...new Map(asked.map((one) => [JSON.stringify(one), one])).values()];
  };
  return { ...staged, by };
}

describe('what the venue allows is asked for', () => {
  test('by an order, for its account', async () => {
    const { place, by } = await fixture();
    expect(await by(() => place({}))).toEqual([ORDER]);
  });

  test('by client reads and dry runs as looks of its account', async () => {
    const { use, strategy, time, show, by } = await fixture();
    await show('0.50x1000', '0.51x1000');
    const guess = 'guess' as MarketId;
    expect(await by(() => use.markets.read.book(ALICE, null, CONDITION).catch(() => {}))).toEqual([LOOK]);
    expect(await by(() => use.markets.read.search(BOB, null, {}, { limit: 1 }))).toEqual([{ ...LOOK, account: BOB }]);
    const list = () => use.orders.read.many(ALICE, { marketId: guess }, { limit: 1 }).catch(() => {});
    expect(await by(list)).toEqual([LOOK]);
    expect(await by(() => use.accounts.portfolio.now(ALICE, { paper: true, strategyId: null }))).toEqual([LOOK]);
    expect(
      await by(() =>
        use.signals.read.one({ account: ALICE, name: 'model' as SignalName }, null, guess).catch(() => {}),
      ),
    ).toEqual([LOOK]);
    await time.pass(60_000);
    const market = { venue: null, marketId: CONDITION };
    const dryRun = { account: ALICE, strategyId: strategy.id, market, limit: 10 };
    // Which markets there are is the same for all, and its losses are marked once in a second, as for its orders.
    expect(await by(() => use.strategies.evaluate.execute(dryRun))).toEqual([FOR_ALL, LOOK, ORDER]);
  });

  test('by equity samples as looks of each account', async () => {
    const { use, show, held, by } = await fixture();
    await show('0.50x1000', '0.51x1000');
    expect(await held()).toBeGreaterThan(0n);
    expect(await by(() => use.accounts.sampleEquity.execute(60_000))).toEqual([LOOK]);
  });

  test('by the starts of open bets as looks for all', async () => {
    const { use, show, held, by } = await fixture();
    await show('0.50x1000', '0.51x1000');
    expect(await held()).toBeGreaterThan(0n);
    await use.bets.keep.execute(ALICE);
    expect(await by(() => use.bets.close.execute())).toEqual([FOR_ALL]);
  });

  test('by exits and results for no account, and never as looks', async () => {
    const { use, show, sales, held, game, by } = await fixture();
    await show('0.50x1000', '0.51x1000');
    expect(await held()).toBeGreaterThan(0n);
    const selling = await by(() => show('0.61x1000', '0.62x1000'));
    expect(await sales()).toHaveLength(1);
    expect(selling.filter((asker) => asker?.purpose === 'look')).toEqual([]);
    expect(await by(() => use.markets.settleResults.execute())).toEqual([FOR_RESULTS]);
    expect(game.isFollowed).toBe(true);
  });
});
