import type { Level } from '../../market/event.js';
import { costOfShare, type FeeSchedule } from '../../market/fee.js';
import { wholeLots } from '../../market/venue-choices.js';
import { NO_SHARES, type Price, plus, type Shares } from '../../money.js';
import type { BetSide, Fraction, Odds } from '../rules/rules.js';
import { isAtLeast, isAtMost, oddsAt, yieldAt } from './odds.js';
import { compareRatios, type Ratio, ratioOf } from './ratio.js';

/** One level of the offers of what is bought: whole lots, and what one share costs with its fee, in parts of `Ladder.whole`. */
export interface Rung {
  readonly price: Price;
  readonly shares: Shares;
  readonly cost: bigint;
}

/** Offers, the best first, each at its own cost: the fee is that of its price, never that of an average. */
export interface Ladder {
  /** 1 USDC, in the parts in which costs are exact. */
  readonly whole: bigint;
  readonly rungs: readonly Rung[];
}

/** What a level has to satisfy to be bought. */
export interface LevelBounds {
  readonly side: BetSide;
  readonly minOdds: Odds | null;
  readonly maxOdds: Odds | null;
  /** For what is bought; null where no rule needs it. */
  readonly probability: Fraction | null;
  readonly minEdge: Fraction | null;
  /** True where money is only spent at an expected gain, however small. */
  readonly needsGain: boolean;
  readonly maxSlippage: Price | null;
}

/** The offers as a taker meets them: in whole lots, and only what costs less than a share can pay. */
export function ladderOf(asks: readonly Level[], fee: FeeSchedule, lot: Shares): Ladder {
  const priced = asks.map(({ price, shares }) => {
    const { cost, whole } = costOfShare(fee, price);
    return { rung: { price, shares: wholeLots(shares, lot), cost }, whole };
  });
  const whole = priced[0]?.whole ?? 1n;
  const rungs = priced.map(({ rung }) => rung).filter(({ shares, cost }) => shares > 0n && cost < whole);
  return { whole, rungs };
}

/** What a share of this level costs. */
export const costAt = ({ whole }: Pick<Ladder, 'whole'>, { cost }: Rung): Ratio => ({ n: cost, d: whole });

/** True of a cost of a share at which the odds are within their bounds. */
export function hasOdds(cost: Ratio, { side, minOdds, maxOdds }: LevelBounds): boolean {
  const odds = oddsAt(cost, side);
  return isAtLeast(odds, minOdds) && isAtMost(odds, maxOdds);
}

/** True of a cost of a share at which the bet is worth its money. */
export function hasEdge(cost: Ratio, { probability, minEdge, needsGain }: LevelBounds): boolean {
  if (minEdge === null && !needsGain) return true;
  if (probability === null) return false;
  const edge = yieldAt(cost, probability);
  return (!needsGain || edge.n > 0n) && (minEdge === null || compareRatios(edge, ratioOf(minEdge)) >= 0n);
}

/** The levels from the best to the worst that may be bought: each by itself holds the odds and the edge, so that all of them together do. */
export function within(ladder: Ladder, bounds: LevelBounds): Ladder {
  const { maxSlippage } = bounds;
  const best = ladder.rungs[0]?.price ?? 0n;
  const isPermitted = (rung: Rung) =>
    hasOdds(costAt(ladder, rung), bounds) &&
    hasEdge(costAt(ladder, rung), bounds) &&
    (maxSlippage === null || rung.price - best <= maxSlippage);
  const worse = ladder.rungs.findIndex((rung) => !isPermitted(rung));
  return worse === -1 ? ladder : { ...ladder, rungs: ladder.rungs.slice(0, worse) };
}

/** All shares of a ladder. */
export const depthOf = ({ rungs }: Ladder): Shares => rungs.reduce((sum, { shares }) => plus(sum, shares), NO_SHARES);
