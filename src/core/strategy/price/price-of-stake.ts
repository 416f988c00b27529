import type { Level } from '../../market/event.js';
import { costOfShare, FeeMeter, type FeeSchedule, feeOfDollars, feeReserve, wholeLots } from '../../market/fee.js';
import type { MarketTerms, TimeInForce } from '../../market/market.js';
import { Want } from '../../market/market.js';
import {
  compareRatios,
  floorOf,
  least,
  microFloor,
  minus,
  NO_SHARES,
  NO_USDC,
  notional,
  ONE,
  type Price,
  plus,
  type Ratio,
  ratioOf,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../money.js';
import type { BetSide, Fraction, Odds } from '../rules/rule-member.js';

/** An order, and what it gets from these offers. */
export interface Stake {
  /** Money at the limit price, as orders have it. */
  readonly size: Usdc;
  /** What is ordered: `size / price` in whole lots. */
  readonly ordered: Shares;
  /** What it gets: more than was ordered where dollars are spent at better prices. */
  readonly shares: Shares;
  readonly fee: Usdc;
  /** Money out, with fees. */
  readonly cost: Usdc;
  /** `cost` before anything is rounded, in parts of `Ladder.whole`. */
  readonly exact: bigint;
  /** The most money that it could take out: what is reserved for it. */
  readonly most: Usdc;
}

/** What determines the orders that may be placed. */
export interface StakeTerms {
  readonly lot: Shares;
  readonly fee: FeeSchedule;
  readonly timeInForce: TimeInForce;
  readonly quoteStep: MarketTerms['quoteStep'];
}

/**
 * Every order that may be placed on some offers, smallest first: one more step is one more lot, or one more step of dollars where an
 * order that fills at once is an amount of dollars. Its price is that of the whole stake, level by level, rounded as the account will
 * be charged: against the trader. Past the last level, shares cost as much as there.
 */
export class Stakes {
  readonly limit: Price;
  /** What the levels have. */
  readonly depth: Shares;
  readonly #dollarStep: Usdc | null;

  /** `ladder` has at least one level. */
  constructor(
    readonly ladder: Ladder,
    private readonly terms: StakeTerms,
  ) {
    const { timeInForce, quoteStep } = terms;
    this.limit = ladder.rungs.at(-1)?.price ?? (0n as Price);
    this.depth = depthOf(ladder);
    this.#dollarStep = quoteStep !== undefined && (timeInForce === 'FOK' || timeInForce === 'FAK') ? quoteStep : null;
  }

  /** A number of steps that no stake within the depth reaches. */
  get tooMany(): bigint {
    if (this.#dollarStep === null) return this.depth / this.terms.lot + 1n;
    return notional(this.depth, this.limit, 'ceil') / this.#dollarStep + 2n;
  }

  /** The order of so many steps. */
  at(steps: bigint): Stake {
    return this.#dollarStep === null
      ? this.ofShares((steps * this.terms.lot) as Shares)
      : this.#ofDollars((steps * this.#dollarStep) as Usdc);
  }

  /** The order for these shares, in whole lots, where shares bound it. */
  ofShares(shares: Shares): Stake {
    const { lot, fee } = this.terms;
    const size = notional(shares, this.limit, 'ceil');
    const ordered = sharesFor(size, this.limit, lot);
    const reserve = feeReserve(fee, { side: 'BUY', postOnly: false, shares: ordered, price: this.limit });
    return this.#filled(size, ordered, Want.shares(ordered), plus(notional(ordered, this.limit, 'ceil'), reserve));
  }

  #ofDollars(size: Usdc): Stake {
    const { lot, fee } = this.terms;
    const ordered = sharesFor(size, this.limit, lot);
    return this.#filled(size, ordered, Want.dollars(size, this.limit, lot), plus(size, feeOfDollars(fee, size)));
  }

  #filled(size: Usdc, ordered: Shares, want: Want, reserved: Usdc): Stake {
    const { rungs } = this.ladder;
    const meter = new FeeMeter(this.terms.fee);
    let [shares, cost, fee, exact] = [NO_SHARES, NO_USDC, NO_USDC, 0n];
    for (const [index, rung] of rungs.entries()) {
      if (want.shares === 0n) break;
      const wanted = want.at(rung.price);
      const taken = index === rungs.length - 1 ? wanted : least(wanted, rung.shares);
      want.take(taken, rung.price);
      cost = plus(cost, this.#charged(shares, taken, rung.price));
      fee = taken === 0n ? fee : plus(fee, meter.charge(taken, rung.price));
      shares = plus(shares, taken);
      exact += taken * rung.cost;
    }
    const out = plus(cost, fee);
    return { size, ordered, shares, fee, cost: out, exact, most: out > reserved ? out : reserved };
  }

  /** Rounded up, but never to more than is reserved for those shares at the limit. */
  #charged(before: Shares, taken: Shares, price: Price): Usdc {
    const cost = notional(taken, price, 'ceil');
    if (this.#dollarStep !== null) return cost;
    const reserved = minus(notional(plus(before, taken), this.limit, 'ceil'), notional(before, this.limit, 'ceil'));
    return least(cost, reserved);
  }
}

/** The largest number of steps, from 0 to below `tooMany`, at which something holds that holds at every smaller one. */
export function mostSteps(tooMany: bigint, holds: (steps: bigint) => boolean): bigint {
  let [low, high] = [0n, tooMany];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

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
function hasOdds(cost: Ratio, { side, minOdds, maxOdds }: LevelBounds): boolean {
  const odds = oddsAt(cost, side);
  return isAtLeast(odds, minOdds) && isAtMost(odds, maxOdds);
}

/** True of a cost of a share at which the bet is worth its money. */
function hasEdge(cost: Ratio, { probability, minEdge, needsGain }: LevelBounds): boolean {
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
const depthOf = ({ rungs }: Ladder): Shares => rungs.reduce((sum, { shares }) => plus(sum, shares), NO_SHARES);

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

/** In micro-units, rounded up. */
const microCeil = ({ n, d }: Ratio): bigint => -floorOf({ n: -n * ONE, d });
