import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { price, shares, usdc } from '../support/builders.js';
import { aMarket } from '../support/fake-venue/markets.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { charging } from './charging.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

/** What our books and the venue say of the wallet: dollars, and shares of the first outcome. */
async function bothSides() {
  const [position] = await live.positions();
  const theirs = live.venue.account(KNOWN_ADDRESS);
  return {
    ours: { cash: (await live.balance())?.cash, shares: position?.shares ?? 0n },
    theirs: { cash: theirs.collateral, shares: theirs.balanceOf(YES) },
  };
}

describe('A purchase that gets a better price than its limit', () => {
  it.each([
    ['shares', '20', '9.6', '90.4'],
    ['dollars', '20.833333', '10', '90'],
  ] as const)("row 63: filled by %s gives the venue's holdings, cost and cash", async (spends, size, cost, cash) => {
    live.venue.habits.buySpends = spends;
    const stream = await listeningAt(live);
    live.venue.offer(YES, 'SELL', '0.48', '100');
    const order = await live.place({ timeInForce: 'FOK' });
    live.venue.settleAll('CONFIRMED');
    await stream.caughtUp();
    await live.lookAfter(2);
    await live.sweep();
    expect(await live.now(order)).toMatchObject({
      state: 'filled',
      filled: { shares: shares(size), confirmed: shares(size), notional: usdc(cost), fees: 0n },
    });
    expect(await live.positions()).toMatchObject([{ shares: shares(size), cost: usdc(cost) }]);
    expect(await live.balance()).toMatchObject({ cash: usdc(cash), reserved: 0n });
    const { ours, theirs } = await bothSides();
    expect(ours).toEqual(theirs);
    expect(await live.wrong()).toEqual([]);
  });

  it.each([
    ['shares', '7', '20', '8'],
    ['dollars', '7.333333', '24.186667', '10'],
  ] as const)('row 63: over several prices, by its %s, as well', async (spends, best, size, cost) => {
    live.venue.habits.buySpends = spends;
    live.venue.offer(YES, 'SELL', '0.31', best);
    for (const at of ['0.43', '0.47']) live.venue.offer(YES, 'SELL', at, '7');
    live.venue.offer(YES, 'SELL', '0.5', '100');
    const order = await live.place({ timeInForce: 'FAK' });
    await live.lookAfter(2);
    const { filled } = await live.now(order);
    expect(filled).toMatchObject({ shares: shares(size), notional: usdc(cost) });
    expect(await live.positions()).toMatchObject([{ shares: shares(size), cost: usdc(cost) }]);
    const { ours, theirs } = await bothSides();
    expect(ours).toEqual(theirs);
    expect(await live.balance()).toMatchObject({ reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});

describe('A match that has not moved any money yet', () => {
  it('row 62: a sale of its shares is refused, keeping the shares', async () => {
    live.venue.habits.movesWhen = 'mined';
    live.venue.offer(YES, 'SELL', '0.5', '20');
    await live.place({ timeInForce: 'FOK' });
    const sale = await live.place({ side: 'SELL' });
    expect(sale).toMatchObject({ state: 'rejected', refusal: { code: 'insufficient_funds' } });
    expect(await live.positions()).toMatchObject([{ shares: shares('20'), reserved: 0n, cost: usdc('10') }]);
    await live.lookAfter(5);
    expect(live.posts()).toBe(2);
    live.venue.settleAll('FAILED');
    await live.sweep();
    expect(await live.positions()).toMatchObject([{ shares: 0n, reserved: 0n, cost: 0n, realised: 0n }]);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it('row 62: sold shares of a failed purchase raise a contradiction', async () => {
    live.venue.offer(YES, 'SELL', '0.5', '20');
    const purchase = await live.place({ timeInForce: 'FOK' });
    live.venue.offer(YES, 'BUY', '0.6', '20');
    await live.place({ side: 'SELL', timeInForce: 'FOK' });
    const [bought = '', sold = ''] = live.venue.trades;
    live.venue.settle(bought, 'FAILED');
    expect(await live.sweep()).toMatchObject({ contradictions: [{ orderId: purchase.id }] });
    expect(await live.balance()).toMatchObject({ cash: usdc('102'), reserved: 0n });
    live.venue.settle(sold, 'FAILED');
    await live.sweep();
    expect(await live.sweep()).toMatchObject({ contradictions: [], complete: true });
    expect(await live.positions()).toMatchObject([{ shares: 0n, reserved: 0n, cost: 0n, realised: 0n }]);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(live.posts()).toBe(2);
    expect(await live.wrong()).toEqual([]);
  });
});

describe('Shares that do not add up', () => {
  it.each(['0.005', '5'])('row 63: %s shares beyond the order are a contradiction, never booked', async (more) => {
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '20');
    await live.sweep();
    const before = await live.now(order);
    live.venue.fillLate(order.venueOrderId ?? '', more);
    const message = 'invariant broken: a purchase never spends more than its size';
    expect(await live.sweep()).toMatchObject({ contradictions: [{ orderId: order.id, message }] });
    expect(await live.now(order)).toEqual(before);
    expect(await live.balance()).toMatchObject({ cash: usdc('90'), reserved: 0n });
    const theirs = shares('20') + shares(more);
    expect(await live.wrong()).toEqual([`${order.id} has ${shares('20')} filled, the venue ${theirs}`]);
  });

  it.each([
    ['19.995', 'filled'],
    ['19.98', 'cancelled'],
  ])('row 64: %s of 20 shares, and the rest is dropped: %s', async (size, state) => {
    live.venue.offer(YES, 'SELL', '0.5', size);
    const order = await live.place({ timeInForce: 'FAK' });
    expect(await live.now(order)).toMatchObject({ state, filled: { shares: shares(size) } });
    expect(await live.balance()).toMatchObject({ reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});

describe('Fees', () => {
  it('row 65: are recorded per fill: takers pay, makers pay nothing', async () => {
    await live.close();
    live = await liveTrader({}, charging);
    live.venue.list(aMarket('game', { feeRate: '0.05' }));
    live.venue.offer(YES, 'SELL', '0.4', '10');
    const order = await live.place();
    live.venue.offer(YES, 'SELL', '0.5', '10');
    await live.sweep();
    expect((await live.now(order)).fills).toMatchObject([
      { liquidity: 'TAKER', price: price('0.4'), fee: usdc('0.12') },
      { liquidity: 'MAKER', price: price('0.5'), fee: 0n },
    ]);
    expect(await live.balance()).toMatchObject({ cash: usdc('90.88'), reserved: 0n });
    const { ours, theirs } = await bothSides();
    expect(ours).toEqual(theirs);
    expect(await live.wrong()).toEqual([]);
  });
});
