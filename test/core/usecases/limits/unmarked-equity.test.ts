import { describe, expect, it, test } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import type { BookView } from '../../../../src/core/market/book.js';
import { ALICE, MARKET, price, usdc } from '../../../support/builders.js';
import { levels } from '../../../support/scripted-market.js';

import { fixture, NOON, SECOND } from './losses-fixture.js';

describe('Where equity cannot be marked', () => {
  const book = (changes: Partial<BookView>): BookView => ({
    bids: levels('0.4x100'),
    asks: levels('0.5x100'),
    at: new Date(NOON),
    fresh: true,
    ...changes,
  });

  test.each([
    ['out of date', book({ fresh: false })],
    ['crossed', book({ bids: levels('0.6x100') })],
    ['without bids', book({ bids: [] })],
    ['without anything', book({ bids: [], asks: [] })],
  ])('a book that is %s admits only orders that lower worst cases', async (_, shown) => {
    const it = await fixture({ dailyLossUsdc: usdc('30') });
    await it.trader.place({ size: usdc('50') });
    it.markets.book = async () => shown;
    it.clock.tick(3 * SECOND);
    expect(await it.code({ marketId: 'another' as MarketId })).toBe('market_data_stale');
    expect((await it.used()).dailyLossUsdc).toBe(null);
    expect((await it.watch()).unmarked).toEqual([{ account: ALICE, paper: true }]);
    expect(await it.code({ side: 'SELL', size: usdc('5') })).toBe('placed');
    expect(await it.states()).toEqual([]);
  });

  it('a sale that raises no worst case passes, even if returns fall', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('30') });
    await it.trader.place({ size: usdc('50') });
    await it.trader.place({ outcome: 'NO', price: price('0.5'), size: usdc('40') });
    it.markets.book = async () => book({ fresh: false });
    it.clock.tick(3 * SECOND);
    // 100 YES and 80 NO: 10 can be lost. With 70 YES, of which NO wins 80, and YES 70: 35 + 40 - 70 = 5.
    expect(await it.code({ side: 'SELL', price: price('0.4'), size: usdc('12') })).toBe('placed');
    expect(await it.code({ side: 'SELL', price: price('0.4'), size: usdc('12') })).toBe('market_data_stale');
  });

  it('a source that does not answer does the same, until it does', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('30') });
    await it.trader.place({ size: usdc('50') });
    it.markets.silent.add(MARKET);
    it.clock.tick(3 * SECOND);
    expect(await it.code({ marketId: 'another' as MarketId })).toBe('market_data_stale');
    it.markets.silent.delete(MARKET);
    it.clock.tick(3 * SECOND);
    expect(await it.code({ marketId: 'another' as MarketId })).toBe('placed');
  });

  it('shares that nobody bids for, offered at a cent, are worth nothing', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('30') });
    await it.trader.place({ size: usdc('50') });
    it.markets.book = async () => book({ bids: [], asks: levels('0.01x100') });
    it.clock.tick(3 * SECOND);
    expect((await it.used()).dailyLossUsdc).toBe(usdc('50'));
  });
});
