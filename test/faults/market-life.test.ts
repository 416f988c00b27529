import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Market, MarketTerms } from '../../src/core/market/market.js';
import { listed, YES } from '../adapters/polymarket/execution/exchange-fixture.js';
import { KNOWN_ADDRESS } from '../adapters/polymarket/signing/known-address.js';
import { price, shares, usdc } from '../support/builders.js';
import { refuses } from '../support/fake-venue/faults.js';
import { aMarket } from '../support/fake-venue/markets.js';
import { REFUSALS } from '../support/fake-venue/refusals.js';
import { type LiveTrader, liveTrader } from '../support/live-trader.js';
import { listeningAt } from './user-stream.js';

let live: LiveTrader;
beforeEach(async () => {
  live = await liveTrader({});
});
afterEach(() => live.close());

/** The market of the stage as our own records show it, with other terms. */
function withTerms(changes: Partial<MarketTerms>): Market {
  const market = listed();
  return { ...market, terms: market.terms === null ? null : { ...market.terms, ...changes } };
}

/** Refused with proof, sent once, and nothing is kept back. */
async function refusedOnce(code: string, changes = {}) {
  const order = await live.place(changes);
  expect(order).toMatchObject({ state: 'rejected', refusal: { code } });
  await live.lookAfter(5);
  expect(live.posts()).toBe(1);
  expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
  expect(await live.wrong()).toEqual([]);
  return order;
}

describe('A tick that changes', () => {
  it('row 66: before the order arrives refuses it and frees its money', async () => {
    live.venue.changeTick('0.1');
    await refusedOnce('invalid_tick', { price: price('0.55') });
  });

  it('row 66: is checked at signing: an off-grid order is denied unsent', async () => {
    await live.close();
    live = await liveTrader({}, () => withTerms({ tick: price('0.1') }));
    expect(await live.place({ price: price('0.55') })).toMatchObject({
      state: 'denied',
      refusal: { code: 'invalid_tick' },
    });
    expect(live.posts()).toBe(0);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
  });
});

describe('An order that the venue ends', () => {
  const ends: readonly (readonly [string, () => void])[] = [
    ['row 66: because the tick changed', () => live.venue.changeTick('0.1')],
    ['row 79: because the market has a result', () => live.venue.resolve(YES)],
    ['row 79: as INVALID, because the game begins', () => live.venue.startGame()],
    ['row 82: because no heartbeat came', () => live.venue.state.lapse(live.credentials)],
  ];
  it.each(ends)('%s is cancelled by its message, keeping fills and freeing the rest', async (_row, end) => {
    const stream = await listeningAt(live);
    const order = await live.place({ price: price('0.55'), size: usdc('11') });
    live.venue.offer(YES, 'SELL', '0.55', '8');
    await stream.caughtUp();
    end();
    await stream.caughtUp();
    expect(await live.now(order)).toMatchObject({ state: 'cancelled', filled: { shares: shares('8') } });
    expect(await live.balance()).toMatchObject({ cash: usdc('95.6'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });

  it.each(ends)('%s while the stream was down is cancelled once sweeps agree', async (_row, end) => {
    const order = await live.place({ price: price('0.55'), size: usdc('11') });
    await live.sweep();
    end();
    await live.sweep();
    expect(await live.now(order)).toMatchObject({ state: 'open' });
    expect(await live.balance()).toMatchObject({ reserved: usdc('11') });
    for (let sweeps = 0; sweeps < 7; sweeps++) {
      live.time.now += 30_000;
      await live.sweep();
    }
    expect(await live.now(order)).toMatchObject({ state: 'cancelled' });
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(live.posts()).toBe(1);
    expect(await live.wrong()).toEqual([]);
  });
});

describe('The contract that an order is signed for', () => {
  it.each([false, true])('row 68: is the one the market reports, neg-risk or not (%s)', async (negRisk) => {
    await live.close();
    live = await liveTrader({}, () => withTerms({ negRisk }));
    live.venue.list(aMarket('game', { negRisk }));
    const order = await live.place();
    expect(order).toMatchObject({ state: 'open' });
    expect(live.venue.accepted(order.venueOrderId ?? '')).toBe(true);
    expect(await live.wrong()).toEqual([]);
  });

  it('row 68: when wrong in our record leads to refusal without reserve', async () => {
    live.venue.list(aMarket('game', { negRisk: true }));
    await refusedOnce('venue_rejected');
  });
});

describe('A market that takes no orders', () => {
  it('row 69: any more when the order arrives refuses it, once', async () => {
    live.venue.market().accepting = false;
    await refusedOnce('market_not_accepting_orders');
  });
  it('row 69: because it is gone refuses it, once', async () => {
    live.venue.state.markets.clear();
    await refusedOnce('market_closed');
  });
  it.each([
    ['cancel-only', 'cancel_only'],
    ['disabled', 'trading_disabled'],
  ] as const)('row 70: because it is %s refuses orders but still allows cancellation', async (hours, code) => {
    const resting = await live.place();
    live.venue.hours = hours;
    const order = await live.place();
    expect(order).toMatchObject({ state: 'rejected', refusal: { code } });
    expect(live.venue.accepted(order.venueOrderId ?? '')).toBe(false);
    expect(await live.cancel(resting)).toMatchObject({ state: 'cancelled' });
    const sent = live.posts();
    live.venue.hours = 'normal';
    await live.lookAfter(5);
    expect(live.posts()).toBe(sent);
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});

describe('Money that the venue does not see', () => {
  it('row 71: too little of it refuses the order, once', async () => {
    live.venue.account(KNOWN_ADDRESS).collateral = 0n;
    await refusedOnce('insufficient_funds');
  });
  it('row 71: which it may not take refuses the order, once', async () => {
    live.venue.account(KNOWN_ADDRESS).allowances.clear();
    await refusedOnce('insufficient_funds');
  });
  it('row 72: held back forever refuses each order once, without resending', async () => {
    live.venue.always('POST /order', refuses(REFUSALS.balance(0n, 10_000_000n)));
    for (let tries = 1; tries <= 3; tries++) {
      const order = await live.place();
      expect(order).toMatchObject({ state: 'rejected', refusal: { code: 'insufficient_funds' } });
      await live.lookAfter(5);
      await live.sweep();
      expect(live.posts()).toBe(tries);
    }
    expect(await live.balance()).toMatchObject({ cash: usdc('100'), reserved: 0n });
    expect(await live.wrong()).toEqual([]);
  });
});
