import { FeeMeter, type FeeSchedule, feeOfDollars, feeReserve } from '../../market/fee.js';
import type { MarketTerms, TimeInForce } from '../../market/market.js';
import { Want } from '../../market/query.js';
import {
  least,
  minus,
  NO_SHARES,
  NO_USDC,
  notional,
  type Price,
  plus,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../money.js';
import { depthOf, type Ladder } from './ladder.js';

/** An order, and what it gets from the offers that were seen. */
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
  /** The same before anything is rounded, in parts of `Ladder.whole`. */
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
