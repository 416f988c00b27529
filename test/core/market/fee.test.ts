import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeeMeter, feeReserve, MOST_EXPONENT } from '../../../src/core/market/fee.js';
import { notional, ONE, type Price, type Shares } from '../../../src/core/money.js';
import { price, shares, usdc } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { aFee } from '../matching/view.js';

const STEP = usdc('0.00001');
const rate = fc.constantFrom('0', '0.01', '0.03', '0.05', '0.07', '0.25', '0.999999');
const exponent = fc.integer({ min: 0, max: MOST_EXPONENT });
const aSchedule = fc.record({ rate, exponent }).map((drawn) => aFee(drawn.rate, { exponent: drawn.exponent }));
const lots = (most: number) => fc.integer({ min: 1, max: most }).map((count) => (BigInt(count) * 10_000n) as Shares);
const grid = fc.integer({ min: 1, max: 9_999 }).map((place) => (BigInt(place) * 100n) as Price);

describe('The fee of an order', () => {
  it.each([
    ['100', '0.5', '0.05', 1, '1.25'],
    ['100', '0.9', '0.05', 1, '0.45'],
    ['100', '0.57', '0.07', 1, '1.7157'],
    ['100', '0.5', '0.05', 0, '5'],
    ['100', '0.5', '0.05', 2, '0.3125'],
    ['100', '0.5', '0', 1, '0'],
    ['5.01', '0.5', '0.05', 1, '0.06263'],
    ['0.01', '0.01', '0.03', 1, '0.00001'],
  ])('for %s at %s, rate %s, exponent %i is %s', (count, at, rate, exponent, due) => {
    expect(new FeeMeter(aFee(rate, { exponent })).charge(shares(count), price(at))).toBe(usdc(due));
  });

  it('is in whole steps, and the same in parts as at once', () => {
    const whole = fc.property(
      aSchedule,
      grid,
      fc.array(lots(5_000), { minLength: 1, maxLength: 8 }),
      (schedule, at, parts) => {
        const meter = new FeeMeter(schedule);
        const fees = parts.map((part) => meter.charge(part, at));
        const all = parts.reduce((sum, part) => sum + part, 0n) as Shares;
        expect(fees.every((fee) => fee >= 0n && fee % STEP === 0n)).toBe(true);
        expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBe(new FeeMeter(schedule).charge(all, at));
      },
    );
    fc.assert(whole);
  });

  it('is within half a step of the formula, or the least step', () => {
    const close = fc.property(rate, grid, lots(100_000), (drawn, at, count) => {
      const fee = new FeeMeter(aFee(drawn)).charge(count, at) * ONE ** 3n;
      const exact = count * usdc(drawn) * at * (ONE - at);
      const off = fee > exact ? fee - exact : exact - fee;
      expect(2n * off <= STEP * ONE ** 3n || fee === STEP * ONE ** 3n).toBe(true);
      expect(fee === 0n).toBe(exact === 0n);
    });
    fc.assert(close);
  });
});

describe('The fee of an order that rested', () => {
  it('is what its own rate says, where makers have one', () => {
    const meter = new FeeMeter(aFee('0.07', { takerOnly: false, makerRate: 17_500n }));
    expect(meter.charge(shares('10'), price('0.5'), 'MAKER')).toBe(usdc('0.04375'));
    expect(meter.charge(shares('10'), price('0.5'), 'TAKER')).toBe(usdc('0.175'));
  });

  it('is zero where only takers pay, regardless of the other members', () => {
    expect(new FeeMeter(aFee('0.07', { makerRate: 17_500n })).charge(shares('10'), price('0.5'), 'MAKER')).toBe(0n);
  });
});

describe('A fee that is rounded up for each fill', () => {
  const cents = aFee('0.07', { rounding: { step: usdc('0.01'), to: 'up', each: 'fill' } });

  it('costs each fill the next whole step', () => {
    const meter = new FeeMeter(cents);
    expect([1, 2].map(() => meter.charge(shares('1'), price('0.5')))).toEqual([usdc('0.02'), usdc('0.02')]);
    expect(meter.charge(shares('10'), price('0.6'))).toBe(usdc('0.17'));
  });

  it('never exceeds its reservation, however the shares fill', () => {
    const order = { side: 'BUY', postOnly: false, shares: shares('7'), price: price('0.5') } as const;
    const meter = new FeeMeter(cents);
    const fees = Array.from({ length: 7 }, () => meter.charge(shares('1'), price('0.5')));
    expect(fees.reduce((sum, fee) => sum + fee, 0n)).toBeLessThanOrEqual(feeReserve(cents, order));
  });
});

describe('What is reserved for fees', () => {
  const aBuy = { side: 'BUY', postOnly: false, shares: shares('100'), price: price('0.5') } as const;

  it('is nothing for a sale, a zero rate or a free maker', () => {
    expect(feeReserve(null, aBuy)).toBe(0n);
    expect(feeReserve(aFee('0'), aBuy)).toBe(0n);
    expect(feeReserve(aFee('0.05'), { ...aBuy, side: 'SELL' })).toBe(0n);
    expect(feeReserve(aFee('0.05'), { ...aBuy, postOnly: true })).toBe(0n);
    expect(feeReserve(aFee('0.05', { takerOnly: false }), { ...aBuy, postOnly: true })).toBe(usdc('1.25002'));
    expect(feeReserve(aFee('0.05'), aBuy)).toBe(usdc('1.25002'));
  });

  it('plus the notional at the limit covers any fills within that limit', () => {
    const parts = fc.array(fc.tuple(lots(5_000), grid), { minLength: 1, maxLength: 8 });
    const covers = fc.property(aSchedule, grid, parts, (schedule, limit, fills) => {
      const meter = new FeeMeter(schedule);
      let [spent, count] = [0n, 0n];
      for (const [part, at] of fills) {
        const paid = at < limit ? at : limit;
        spent += notional(part, paid, 'ceil') + meter.charge(part, paid);
        count += part;
      }
      const order = { side: 'BUY', postOnly: false, shares: count as Shares, price: limit } as const;
      expect(spent <= notional(order.shares, limit, 'ceil') + feeReserve(schedule, order)).toBe(true);
    });
    fc.assert(covers, { numRuns: runs(1_000) });
  });

  it('plus what was spent never grows by a fill', () => {
    const parts = fc.array(fc.tuple(lots(5_000), grid), { minLength: 1, maxLength: 8 });
    const shrinks = fc.property(aSchedule, grid, parts, (drawn, limit, fills) => {
      const schedule = { ...drawn, takerOnly: false };
      const meter = new FeeMeter(schedule);
      const filled: { shares: Shares; price: Price; liquidity: 'MAKER' }[] = [];
      let left = fills.reduce((sum, [part]) => sum + part, 0n);
      let spent = 0n;
      const claim = () => {
        const order = { side: 'BUY', postOnly: false, shares: left as Shares, price: limit } as const;
        return spent + notional(order.shares, limit, 'ceil') + feeReserve(schedule, order, filled);
      };
      for (const [part, at] of fills) {
        const before = claim();
        const paid = at < limit ? at : limit;
        spent += notional(part, paid, 'ceil') + meter.charge(part, paid);
        left -= part;
        filled.push({ shares: part, price: paid, liquidity: 'MAKER' });
        expect(claim() <= before).toBe(true);
      }
    });
    fc.assert(shrinks, { numRuns: runs(1_000) });
  });
});
