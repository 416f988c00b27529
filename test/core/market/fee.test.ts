import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FeeMeter, type FeePart, type FeeSchedule, feeReserve, MOST_EXPONENT } from '../../../src/core/market/fee.js';
import type { Side } from '../../../src/core/market/side.js';
import { formatMicro, notional, ONE, type Price, type Shares } from '../../../src/core/money.js';
import type { Liquidity } from '../../../src/core/order/order.js';
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

describe('A fee that brings balances to whole steps', () => {
  const aligned = (step: string, balanceStep: string, changes: Partial<FeeSchedule> = {}) =>
    aFee('0.07', {
      takerOnly: false,
      rounding: { step: usdc(step), to: 'up', each: 'fill', balanceStep: usdc(balanceStep) },
      ...changes,
    });
  const charged = (schedule: FeeSchedule, side: Side, fills: readonly (readonly [string, string, Liquidity?])[]) => {
    const meter = new FeeMeter(schedule, side);
    return fills.map(([count, at, liquidity]) => formatMicro(meter.charge(shares(count), price(at), liquidity)));
  };
  const thrice = (count: string, at: string, by: Liquidity = 'TAKER') =>
    Array.from({ length: 3 }, () => [count, at, by] as const);

  // The three tables of the venue, by rates that give their trade fees: 0.0085, 0.0041 and 0.0005 a fill.
  it.each<[string, string, string, string[]]>([
    // 0.0065 beyond the trade fee, twice, of which 0.01 comes back; 0.0095 then does not.
    ['1', '0.055', '0.163', ['0.015', '0.005', '0.015']],
    // 0.0059 and 0.0118: the whole fee of a fill comes back.
    ['0.3', '0.5', '0.054', ['0.01', '0', '0.01']],
    ['0.03', '0.3301', '0.07', ['0.010097', '0.000097', '0.000097']],
  ])('for three purchases of %s at %s is as documented', (count, at, rate, fees) => {
    expect(charged(aligned('0.0001', '0.01', { rate: usdc(rate) }), 'BUY', thrice(count, at))).toEqual(fees);
  });

  it('goes on from fills that took to fills that rested', () => {
    const schedule = aligned('0.000001', '0.01', { makerRate: 17_500n });
    // Takers: 0.0175 and 0.0025 beyond it. The first maker: 0.004375 and 0.005625, and 0.01 of 0.013125 comes back.
    const fills = [...thrice('1', '0.5'), ...thrice('1', '0.5', 'MAKER')].slice(0, 5);
    expect(charged(schedule, 'BUY', fills)).toEqual(['0.02', '0.02', '0.02', '0', '0.01']);
  });

  it('gives back no more than the fee of a fill', () => {
    // 0.003639 and 0.001361 beyond it: a cent would be more than the 0.005 of any fill.
    expect(charged(aligned('0.000001', '0.01'), 'BUY', thrice('1', '0.055'))).toEqual(['0.005', '0.005', '0.005']);
  });

  it('brings down what a sale brings, and takes it where the rate is zero too', () => {
    expect(charged(aligned('0.000001', '0.01'), 'SELL', thrice('1', '0.055'))).toEqual(['0.005', '0.005', '0.005']);
    expect(charged(aligned('0.000001', '0.0001'), 'SELL', thrice('0.03', '0.3301'))).toEqual([
      '0.000503',
      '0.000503',
      '0.000403',
    ]);
    expect(charged(aligned('0.0001', '0.01', { rate: 0n }), 'BUY', thrice('1', '0.055'))).toEqual([
      '0.005',
      '0.005',
      '0.005',
    ]);
  });

  const steps = fc.constantFrom(['0.0001', '0.01'], ['0.000001', '0.01'], ['0.000001', '0.0001']);
  const liquidity = fc.constantFrom<Liquidity>('TAKER', 'MAKER');

  it('never exceeds its reservation, however small the fills', () => {
    const covers = fc.property(
      steps,
      grid,
      fc.array(fc.tuple(fc.oneof(lots(5), lots(300)), grid, liquidity), { minLength: 1, maxLength: 40 }),
      ([step, balanceStep], limit, fills) => {
        const schedule = aligned(step as string, balanceStep as string, { makerRate: 17_500n });
        const meter = new FeeMeter(schedule);
        const filled: FeePart[] = [];
        let left = fills.reduce((sum, [part]) => sum + part, 0n);
        let spent = 0n;
        const reserved = () => {
          const order = { side: 'BUY', postOnly: false, shares: left as Shares, price: limit } as const;
          const fee = feeReserve(schedule, order, filled);
          expect(fee >= 0n).toBe(true);
          return notional(order.shares, limit, 'ceil') + fee;
        };
        for (const [part, at, by] of fills) {
          const before = spent + reserved();
          const paid = at < limit ? at : limit;
          spent += notional(part, paid, 'ceil') + meter.charge(part, paid, by);
          left -= part;
          filled.push({ shares: part, price: paid, liquidity: by });
          expect(spent + reserved() <= before).toBe(true);
        }
      },
    );
    fc.assert(covers, { numRuns: runs(300) });
  });

  it('of many fills of whole balances is that of one, within a step', () => {
    const whole = fc.integer({ min: 1, max: 50 }).map((count) => (BigInt(count) * ONE) as Shares);
    const cents = fc.integer({ min: 1, max: 99 }).map((place) => (BigInt(place) * 10_000n) as Price);
    const close = fc.property(
      steps,
      fc.constantFrom<Side>('BUY', 'SELL'),
      cents,
      fc.array(whole, { minLength: 1 }),
      (drawn, side, at, parts) => {
        const [step = 0n, balanceStep = 0n] = drawn.map((text) => usdc(text));
        const schedule = aligned(...(drawn as [string, string]));
        const meter = new FeeMeter(schedule, side);
        const sum = parts.reduce((fees, part) => fees + meter.charge(part, at), 0n);
        const all = parts.reduce((count, part) => count + part, 0n) as Shares;
        const off = sum - new FeeMeter(schedule, side).charge(all, at);
        expect((off < 0n ? -off : off) < balanceStep + step * BigInt(parts.length)).toBe(true);
      },
    );
    fc.assert(close, { numRuns: runs(300) });
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
