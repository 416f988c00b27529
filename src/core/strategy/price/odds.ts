import { ONE } from '../../money.js';
import type { BetSide, Fraction, Odds } from '../rules/rule-member.js';

/**
 * The odds of the outcome that a rule names, net of fees, from what a share of what is bought costs, which is below 1: BACK buys the
 * outcome itself, 1/c; LAY buys its complement, 1/(1 − c).
 */
export const oddsAt = (cost: Ratio, side: BetSide): Ratio =>
  side === 'BACK' ? { n: cost.d, d: cost.n } : { n: cost.d, d: cost.d - cost.n };

/** The expected yield of money spent at this cost of a share, net of fees: probability / cost − 1. */
export const yieldAt = (cost: Ratio, probability: Fraction): Ratio => ({
  n: probability * cost.d - cost.n * ONE,
  d: cost.n * ONE,
});

/** Odds as they are shown: rounded against the trader, down for BACK and up for LAY. */
export const shownOdds = (odds: Ratio, side: BetSide): Odds => (side === 'BACK' ? microFloor(odds) : microCeil(odds));

/** True of odds that are not below. */
export const isAtLeast = (odds: Ratio, least: Odds | null): boolean =>
  least === null || compareRatios(odds, ratioOf(least)) >= 0n;

/** True of odds that are not above. */
export const isAtMost = (odds: Ratio, most: Odds | null): boolean =>
  most === null || compareRatios(odds, ratioOf(most)) <= 0n;

/** An exact fraction. `d` is above zero. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

/** Micro-units as a fraction. */
export const ratioOf = (micro: bigint): Ratio => ({ n: micro, d: ONE });

/** Above zero where `a` is more, below zero where it is less. */
export const compareRatios = (a: Ratio, b: Ratio): bigint => a.n * b.d - b.n * a.d;

/** The largest whole number that is not above. */
export function floorOf({ n, d }: Ratio): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

/** In micro-units, rounded down. */
export const microFloor = ({ n, d }: Ratio): bigint => floorOf({ n: n * ONE, d });

/** In micro-units, rounded up. */
const microCeil = ({ n, d }: Ratio): bigint => -floorOf({ n: -n * ONE, d });
