import { ONE } from '../../money.js';
import { compareRatios, type Ratio } from '../price/ratio.js';
import type { Fraction } from '../rules/rules.js';

/** One of several outcomes of which exactly one comes true: how probable it is, and what a share of it costs. */
export interface ExclusiveOutcome {
  readonly probability: Ratio;
  readonly cost: Ratio;
}

const ALL: Ratio = { n: 1n, d: 1n };

/**
 * The part of the bankroll that Kelly keeps back when it bets on exclusive outcomes at once: outcome k gets p − R·c of the bankroll
 * where p/c is above R, else nothing. They hedge each other, so that this is more than each would get by itself.
 */
export function reserveRate(outcomes: readonly ExclusiveOutcome[]): Ratio {
  const worth = ({ probability: p, cost: c }: ExclusiveOutcome): Ratio => ({ n: p.n * c.d, d: p.d * c.n });
  const bestFirst = [...outcomes].sort((a, b) => (compareRatios(worth(a), worth(b)) > 0n ? -1 : 1));
  let [unlikely, unspent, reserve] = [ALL, ALL, ALL];
  for (const outcome of bestFirst) {
    if (compareRatios(worth(outcome), reserve) <= 0n) break;
    unlikely = less(unlikely, outcome.probability);
    unspent = less(unspent, outcome.cost);
    if (unlikely.n <= 0n || unspent.n <= 0n) return { n: 0n, d: 1n };
    reserve = { n: unlikely.n * unspent.d, d: unlikely.d * unspent.n };
  }
  return reserve;
}

/** The reserve of a bet that stakes the part `fraction` of full Kelly. */
export const shrunkReserve = ({ n, d }: Ratio, fraction: Fraction): Ratio => ({
  n: fraction * n + (ONE - fraction) * d,
  d: ONE * d,
});

const less = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.d - b.n * a.d, d: a.d * b.d });
