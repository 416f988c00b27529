import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyPosition } from '../../../src/core/account/position.js';
import { type Price, type Shares, shares, type Usdc } from '../../../src/core/money.js';
import { intentOf } from '../../../src/core/order/draft.js';
import { mostCost } from '../../../src/core/order/order.js';
import { lowersWorstCase } from '../../../src/core/posting/trading-stop.js';
import { ALICE, aMarket, anOrderDraft, price, usdc, WHERE } from '../../support/builders.js';
import { runs } from '../../support/runs.js';

const KEY = { account: ALICE, paper: true, ...WHERE, outcome: 'YES', strategyId: null } as const;
const held = (amount: Shares, reserved = 0n as Shares) => ({ ...emptyPosition(KEY), shares: amount, reserved });
const intent = (side: 'BUY' | 'SELL', at: Price, size: Usdc) =>
  intentOf(anOrderDraft({ side, price: at, size }), aMarket(), null);

/** Whether an order of 20 shares at 0.5 passes, by the shares held of its own outcome and of the other one. */
const passes = (side: 'BUY' | 'SELL', own: string, other: string, [reserved, onSale] = ['0', '0']) =>
  lowersWorstCase(intent(side, price('0.5'), usdc('10')), {
    role: null,
    YES: held(shares(own), shares(reserved ?? '0')),
    NO: held(shares(other), shares(onSale ?? '0')),
  });

describe('In reducing mode', () => {
  it('shares that are held are sold, as many as are free', () => {
    expect([passes('SELL', '20', '0'), passes('SELL', '19.99', '0'), passes('SELL', '0', '0')]).toEqual([
      true,
      false,
      false,
    ]);
    expect(passes('SELL', '20', '0', ['0.01', '0'])).toBe(false);
  });

  it('one share of a pair is not sold', () => {
    expect([passes('SELL', '20', '20'), passes('SELL', '40', '20'), passes('SELL', '39.99', '20')]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('the other outcome is bought up to the unpaired free shares held', () => {
    expect([passes('BUY', '0', '20'), passes('BUY', '0', '19.99'), passes('BUY', '0', '0')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([passes('BUY', '0.01', '20'), passes('BUY', '0', '20', ['0', '0.01'])]).toEqual([false, false]);
  });

  it('an accepted order raises the least return, whichever outcome comes true', () => {
    const amount = fc.bigInt({ min: 0n, max: 200_000_000n });
    const ticks = fc.integer({ min: 1, max: 99 });
    let passed = 0;
    fc.assert(
      fc.property(fc.constantFrom('BUY', 'SELL'), amount, amount, ticks, amount, (side, own, other, cents, size) => {
        const order = intent(side, (BigInt(cents) * 10_000n) as Price, (size + 1n) as Usdc);
        if (!lowersWorstCase(order, { role: null, YES: held(own as Shares), NO: held(other as Shares) })) return;
        passed += 1;
        const least = (a: bigint, b: bigint) => (a < b ? a : b);
        const before = least(own, other);
        const [left, cash] =
          side === 'BUY'
            ? [own + order.shares, -mostCost(order)]
            : [own - order.shares, (order.shares * order.price) / 1_000_000n];
        expect(least(left, other) + cash).toBeGreaterThan(before);
      }),
      { numRuns: runs(2000) },
    );
    expect(passed).toBeGreaterThan(100);
  });
});
