import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Market } from '../../../../src/core/market/market.js';
import { plus, type Usdc } from '../../../../src/core/money.js';
import type { BetSide } from '../../../../src/core/strategy/rules/rule-member.js';
import { fixture } from '../../../adapters/paper/book-fixture.js';
import { usdc } from '../../../support/builders.js';
import { runs } from '../../../support/runs.js';
import { FREE } from '../../../support/scripted-market.js';
import { aBook, aGame, decided, sharesBind } from './view.js';

const LEVEL = fc.record({ cents: fc.integer({ min: 1, max: 6 }), size: fc.integer({ min: 1, max: 60_000 }) });
const FEES = fc.record({ rate: fc.constantFrom(0n, 20_000n, 50_000n, 72_000n), exponent: fc.constantFrom(0, 1, 2) });

/** A book around a price in cents: offers upwards and bids downwards from it, in hundredths of a share. */
const BOOK = fc.record({
  middle: fc.integer({ min: 20, max: 80 }),
  asks: fc.array(LEVEL, { minLength: 1, maxLength: 4 }),
  bids: fc.array(LEVEL, { minLength: 1, maxLength: 4 }),
});

type Drawn = typeof BOOK extends fc.Arbitrary<infer T> ? T : never;

function written(drawn: Drawn, side: 'asks' | 'bids'): string {
  let cents = drawn.middle;
  const levels = drawn[side].map(({ cents: step, size }) => {
    cents += side === 'asks' ? step : -step;
    return cents > 0 && cents < 100
      ? `0.${`${cents}`.padStart(2, '0')}x${Math.floor(size / 100)}.${`${size % 100}`.padStart(2, '0')}`
      : '';
  });
  return levels.join(' ');
}

/** Decides, orders what was decided from a paper exchange with the very same book, and tells what it got. */
async function ordered(drawn: Drawn, market: Market, side: BetSide, value: Usdc) {
  const [bids, asks] = [written(drawn, 'bids'), written(drawn, 'asks')];
  const rules = {
    sizing: { method: 'flat', value },
    filter: { side },
    order: { timeInForce: TIF, maxSlippage: null },
  } as const;
  const decision = decided({ market, rules, book: aBook(bids, asks), freeCash: usdc('1000') });
  if (decision.verdict === 'skip') return { decision, order: null };
  const { trading, place } = fixture(market, bids, asks);
  const { price: limit, size, token } = decision;
  const order = await place({ price: limit, size, outcome: token, timeInForce: TIF, marketId: market.id });
  return { decision, order: await trading.orders.one(order.account, order.id) };
}

const TIF = 'FAK';

describe('What a decision names is what an order gets from the same book, to the micro-dollar', () => {
  it.each([
    ['an amount of dollars', (market: Market) => market],
    ['a number of shares', sharesBind],
  ])('where the order is %s', async (_, as) => {
    let [filled, tried] = [0, 0];
    const sides = fc.constantFrom('BACK' as const, 'LAY' as const);
    const story = fc.asyncProperty(
      BOOK,
      FEES,
      sides,
      fc.integer({ min: 100, max: 40_000 }),
      async (drawn, fee, side, cents) => {
        tried += 1;
        const value = (BigInt(cents) * 10_000n) as Usdc;
        const { decision, order } = await ordered(drawn, as(aGame({ fee: { ...FREE, ...fee } })), side, value);
        if (decision.verdict === 'skip' || order === null) return;
        filled += 1;
        expect(order).toMatchObject({ refusal: null, state: 'filled', filled: { shares: decision.shares } });
        expect(plus(order.filled.notional, order.filled.fees)).toBe(decision.cost);
        expect(decision.cost <= value).toBe(true);
      },
    );
    await fc.assert(story, { numRuns: runs(100) });
    expect(filled).toBeGreaterThan(tried / 4);
  });
});
