import { describe, expect, it } from 'vitest';
import type { FeeSchedule } from '../../../../src/core/market/fee.js';
import { CENTI_SHARE } from '../../../../src/core/market/market.js';
import { microFloor, NO_SHARES, ONE, parseMicro, ratioOf, type Shares } from '../../../../src/core/money.js';
import { costAt, type Ladder, ladderOf } from '../../../../src/core/strategy/price/price-of-stake.js';
import {
  kellyShares,
  reservedKellyShares,
  reserveRate,
  shrunk,
  shrunkReserve,
} from '../../../../src/core/strategy/size/kelly.js';
import { shares, usdc } from '../../../support/builders.js';
import { FIVE_PERCENT, FREE, levels } from '../../../support/scripted-market.js';

const ladder = (asks: string, fee: FeeSchedule): Ladder => ladderOf(levels(asks), fee, CENTI_SHARE);
const chance = (text: string) => ratioOf(parseMicro(text));
const BANKROLL = { basis: usdc('1000'), held: NO_SHARES };

/** The part of a bankroll of 1000 that Kelly spends on one endless level, in hundred-thousandths. */
function fractionOf(probability: string, price: string, fee: FeeSchedule): number {
  const one = ladder(`${price}x1000000`, fee);
  const cost = one.rungs[0]?.cost ?? 0n;
  const bought = kellyShares(one, BANKROLL, chance(probability));
  return Math.round(Number((bought * cost) / one.whole) / 10_000);
}

describe('Kelly on one outcome', () => {
  it.each([
    ['0.6', '0.5', 17_949, 20_000],
    ['0.3', '0.2', 11_616, 12_500],
    ['0.9', '0.85', 30_374, 33_333],
  ])('at %s and price %s is (p−c)/(1−c) of the bankroll', (p, price, charged, free) => {
    expect(fractionOf(p, price, FIVE_PERCENT)).toBe(charged);
    expect(fractionOf(p, price, FREE)).toBe(free);
  });

  it('in a book stops where one more share no longer helps', () => {
    const book = ladder('0.49x50 0.50x50 0.51x150 0.52x500', FIVE_PERCENT);
    const bought = kellyShares(book, BANKROLL, chance('0.6'));
    expect(bought / 1000n).toBe(272_308n);
    expect(growth(book, bought) > growth(book, (bought - 1_000n) as Shares)).toBe(true);
    expect(growth(book, bought) > growth(book, (bought + 1_000n) as Shares)).toBe(true);
  });

  it('stakes the fraction of it by moving the probability toward the cost', () => {
    const one = ladder('0.5x1000000', FIVE_PERCENT);
    const [best] = one.rungs;
    if (best === undefined) throw new RangeError('there is a level');
    const quarter = kellyShares(one, BANKROLL, shrunk(chance('0.6'), ONE / 4n, costAt(one, best)));
    const whole = kellyShares(one, BANKROLL, chance('0.6'));
    expect(Number(whole - 4n * quarter)).toBeLessThan(5);
    expect(Number(whole - 4n * quarter)).toBeGreaterThan(-5);
  });

  it('counts what is held already', () => {
    const one = ladder('0.5x1000000', FREE);
    const bought = kellyShares(one, { ...BANKROLL, held: shares('100') }, chance('0.6'));
    expect(bought).toBe(shares('320'));
    expect(kellyShares(one, BANKROLL, chance('0.6'))).toBe(shares('400'));
  });
});

/** Expected logarithm of the bankroll after these shares, by walking the levels. */
function growth({ rungs, whole }: Ladder, bought: Shares): number {
  let [left, cost] = [Number(bought), 0];
  for (const rung of rungs) {
    const taken = Math.min(left, Number(rung.shares));
    cost += (taken * Number(rung.cost)) / Number(whole);
    left -= taken;
  }
  const free = Number(BANKROLL.basis) - cost;
  return 0.6 * Math.log(free + Number(bought)) + 0.4 * Math.log(free);
}

describe('Kelly on home, draw and away at once', () => {
  const outcomes = [
    ['0.5', '0.45'],
    ['0.3', '0.27'],
    ['0.2', '0.35'],
  ] as const;
  const reserve = reserveRate(outcomes.map(([p, c]) => ({ probability: chance(p), cost: chance(c) })));

  it('keeps the reserve rate R = (1 − Σp)/(1 − Σc) back', () => {
    expect(microFloor(reserve)).toBe(714_285n);
  });

  it.each([
    ['0.5', '0.45', '178571'],
    ['0.3', '0.27', '107142'],
  ])('stakes p − R·c of the bankroll: more than each by itself', (p, price, stake) => {
    const one = ladder(`${price}x1000000`, FREE);
    const bought = reservedKellyShares(one, BANKROLL, chance(p), reserve);
    const spent = (bought * parseMicro(price)) / ONE;
    expect(`${spent / 1000n}`).toBe(stake);
    expect(bought > kellyShares(one, BANKROLL, chance(p))).toBe(true);
  });

  it('buys nothing of what is worth less than the reserve', () => {
    expect(reservedKellyShares(ladder('0.35x1000', FREE), BANKROLL, chance('0.2'), reserve)).toBe(0n);
  });

  it('stakes the fraction of it with a reserve moved toward 1', () => {
    const one = ladder('0.45x1000000', FREE);
    const [best] = one.rungs;
    if (best === undefined) throw new RangeError('there is a level');
    const half = shrunk(chance('0.5'), ONE / 2n, costAt(one, best));
    const bought = reservedKellyShares(one, BANKROLL, half, shrunkReserve(reserve, ONE / 2n));
    expect((2n * bought * 450_000n) / ONE / 10n).toBe(17_857_142n);
  });
});
