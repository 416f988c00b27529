import { compareRatios, floorOf, NO_SHARES, ONE, type Ratio, type Shares, type Usdc } from '../../money.js';
import { costAt, type Ladder, type Rung } from '../price/price-of-stake.js';
import type { Fraction } from '../rules/rule-member.js';

/** What Kelly grows: the money that is free, and what is held already of what would be bought. */
export interface Bankroll {
  readonly basis: Usdc;
  readonly held: Shares;
}

/**
 * The probability at which full Kelly stakes the part `fraction` of what it stakes at `probability`: moved toward the break-even
 * probability, which is the cost of a share at the best level.
 */
export const shrunk = (probability: Ratio, fraction: Fraction, cost: Ratio): Ratio => ({
  n: fraction * probability.n * cost.d + (ONE - fraction) * cost.n * probability.d,
  d: ONE * probability.d * cost.d,
});

/**
 * The shares of one binary outcome that make the expected logarithm of the bankroll largest, bought level by level: exact, and
 * rounded down. With B of the bankroll left, Q shares had, and a cost of m on the level, that is
 * x = (p(1 − m)B − (1 − p)m(B + Q)) / (m(1 − m)) more, at most the level. The last level counts as endless: what is really there is a cap of its own.
 */
export function kellyShares({ whole, rungs }: Ladder, { basis, held }: Bankroll, { n, d }: Ratio): Shares {
  let left = basis * whole;
  const more = ({ cost }: Rung, bought: bigint): bigint => {
    const wins = n * (whole - cost) * left;
    const loses = (d - n) * cost * (left + (bought + held) * whole);
    return floorOf({ n: wins - loses, d: d * cost * (whole - cost) });
  };
  return climb(rungs, more, (rung, bought) => {
    left -= rung.cost * bought;
  });
}

/** Full Kelly shares of one of several exclusive outcomes of which the bankroll keeps the part `reserve`: up to B(p/m − R) on each level. */
export function reservedKellyShares(
  ladder: Ladder,
  { basis, held }: Bankroll,
  { n, d }: Ratio,
  reserve: Ratio,
): Shares {
  const more = (rung: Rung, bought: bigint): bigint => {
    const { n: cost, d: whole } = costAt(ladder, rung);
    const most = { n: basis * (n * whole * reserve.d - reserve.n * d * cost), d: d * cost * reserve.d };
    return floorOf(most) - held - bought;
  };
  return climb(ladder.rungs, more, () => {});
}

/** Buys on each level as many as `more` says, until that is less than the level has. */
function climb(
  rungs: readonly Rung[],
  more: (rung: Rung, bought: bigint) => bigint,
  paid: (rung: Rung, bought: bigint) => void,
): Shares {
  let total: bigint = NO_SHARES;
  for (const [index, rung] of rungs.entries()) {
    const wanted = more(rung, total);
    if (wanted <= 0n) break;
    if (wanted < rung.shares || index === rungs.length - 1) return (total + wanted) as Shares;
    total += rung.shares;
    paid(rung, rung.shares);
  }
  return total as Shares;
}

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
