import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_WON, SPLIT, YES_WON } from '../../src/core/market/lifecycle.js';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { shares, usdc } from '../support/builders.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

describe('The result of a market in which orders with real money traded', () => {
  it.each([
    ['row 75: YES won', YES_WON, '8', '4'],
    ['row 75: NO won', NO_WON, '0', '-4'],
    ['row 76: split', SPLIT, '4', '0'],
  ] as const)(
    '%s: the confirmed part of an order is paid once, as redeemable',
    async (_row, payout, returned, profit) => {
      const stream = await listeningAt(live);
      const order = await live.place();
      live.venue.offer(YES, 'SELL', '0.5', '8');
      await stream.caughtUp();
      const settle = () => live.settle.execute(order.intent, payout);
      expect(await settle()).toBe(0);
      live.venue.resolve(YES);
      await stream.caughtUp();
      expect(await live.now(order)).toMatchObject({ state: 'cancelled', settlement: null });
      expect(await settle()).toBe(0);
      live.venue.settleAll('CONFIRMED');
      await stream.caughtUp();
      expect(await settle()).toBe(1);
      expect(await live.now(order)).toMatchObject({ settlement: { returned: usdc(returned) } });
      const realised = profit.startsWith('-') ? -usdc(profit.slice(1)) : usdc(profit);
      expect(await live.positions()).toMatchObject([
        { shares: 0n, cost: 0n, settled: shares('8'), redeemable: usdc(returned), realised },
      ]);
      expect(await live.balance()).toMatchObject({ cash: usdc('96'), reserved: 0n });
      expect(await settle()).toBe(0);
      expect(await live.wrong()).toEqual([]);
    },
  );

  it('row 80: a fill found after the result is booked once confirmed', async () => {
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '8');
    await live.cancel(order);
    live.venue.settleAll('CONFIRMED');
    await live.sweep();
    const settle = () => live.settle.execute(order.intent, YES_WON);
    expect(await settle()).toBe(1);
    live.venue.fillLate(order.venueOrderId ?? '', '5');
    await live.sweep();
    expect(await settle()).toBe(0);
    live.venue.settleAll('CONFIRMED');
    await live.sweep();
    expect(await settle()).toBe(1);
    expect(await live.now(order)).toMatchObject({ settlement: { returned: usdc('13') } });
    expect(await live.positions()).toMatchObject([{ shares: 0n, settled: shares('13'), redeemable: usdc('13') }]);
    expect(await live.balance()).toMatchObject({ cash: usdc('93.5'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});
