import { least, NO_USDC, notional, ONE, type Price, type Shares, type Usdc } from '../money.js';
import type { Side } from './side.js';

/*
 * Choices where the venue's facts are uncertain, each made once, for paper and for real money alike. What lies beside its adapter
 * explains them with examples.
 */

/**
 * An order of any kind below the least size, which is a number of shares, is refused; the remainder after a fill may be
 * less, and goes on. One page of the venue calls it dollars; 210,807 of 210,836 markets have 5, which as dollars would be
 * more than users report to trade.
 */
export const isBelowLeastSize = (shares: Shares, least: Shares): boolean => shares < least;

/**
 * No market has prices in finer steps, so that dollars buy at most so many shares: a paper purchase that spends them counts
 * cheaper levels as this price.
 */
export const FINEST_TICK = 100n as Price;

/**
 * Fees go in steps of 0.00001 USDC, to the nearest, at least one, and are rounded once for each match, over all levels that
 * it met: a match is one trade of the venue, and its walk on paper. The venue does not document what its rounding covers.
 */
const FEE_STEP = 10n;

/**
 * A level may be reported with up to six decimals, but no fill takes part of a lot: orders have two decimals of a share, and
 * what the venue does with the rest is not documented.
 */
export const wholeLots = (shares: Shares, lot: Shares): Shares => (shares - (shares % lot)) as Shares;

/**
 * What a market charges: shares × rate × (price × (1 − price))^exponent, in USDC.
 * A schedule is data of the market and of its day, never a constant of ours.
 */
export interface FeeSchedule {
  /** In millionths: 0.05 is 50 000. From 0 up to, not including, 1. */
  readonly rate: bigint;
  /** A whole number from 0 to 4; the venue uses 1. */
  readonly exponent: number;
  /** True where orders that rested pay nothing. */
  readonly takerOnly: boolean;
  /** What orders that rested pay in place of the rate, in millionths; the same rate where it is absent. */
  readonly makerRate?: bigint;
  /** How the fee is rounded; to the nearest 0.00001 USDC over the whole order where it is absent. */
  readonly rounding?: FeeRounding;
  /** When the schedule was read from the venue, or since when it applies where the venue reports that. */
  readonly asOf: Date;
}

/** The steps of USDC, in millionths, to which a fee is rounded: for each fill, or for the sum of an order's fills. */
export interface FeeRounding {
  readonly step: bigint;
  readonly to: 'nearest' | 'up';
  readonly each: 'fill' | 'order';
  /**
   * The steps in which the venue keeps balances, where it charges what brings the change of a balance down to one, for each fill on top
   * of the fee. What an order has paid so comes back in whole steps, at most the fee of the fill that it comes back with.
   */
  readonly balanceStep?: bigint;
}

/** The usual rounding: the fee of all fills of an order together, to the nearest step. */
const USUAL: FeeRounding = { step: FEE_STEP, to: 'nearest', each: 'order' };

/** The rate that one side of a trade pays. */
export function rateOf({ rate, takerOnly, makerRate }: FeeSchedule, liquidity: FeePart['liquidity']): bigint {
  if (liquidity === 'TAKER') return rate;
  return takerOnly ? 0n : (makerRate ?? rate);
}

/** True where one side of a trade never pays anything, be it for the rounding of balances. */
export const isFree = (schedule: FeeSchedule, liquidity: FeePart['liquidity']): boolean =>
  rateOf(schedule, liquidity) === 0n && schedule.rounding?.balanceStep === undefined;

function mostRate(schedule: FeeSchedule): bigint {
  const [taker, maker] = [rateOf(schedule, 'TAKER'), rateOf(schedule, 'MAKER')];
  return taker > maker ? taker : maker;
}

/** The largest exponent that a schedule may have; above it is a formula that we do not know. */
export const MOST_EXPONENT = 4;

/**
 * The fee of one order, fill by fill. Where the running total is what gets rounded, an order that fills in many parts pays what it would
 * have paid in one. Where each fill is, it pays no more than `most` would have reserved, in however many parts it fills.
 */
export class FeeMeter {
  #numerator = 0n;
  #charged = 0n;
  #shares = 0n;
  /** What was charged to bring balances to whole steps, and has not come back. */
  #overpaid = 0n;
  readonly #denominator: bigint;
  readonly #rounding: FeeRounding;

  constructor(
    private readonly schedule: FeeSchedule,
    private readonly side: Side = 'BUY',
  ) {
    this.#denominator = ONE ** BigInt(2 * schedule.exponent + 1);
    this.#rounding = schedule.rounding ?? USUAL;
  }

  /** The fee for these shares at this price, given all that was charged before. Never negative. */
  charge(shares: Shares, price: Price, liquidity: FeePart['liquidity'] = 'TAKER'): Usdc {
    const exact = this.#exact(shares, price, rateOf(this.schedule, liquidity));
    const ofFill = this.#rounding.each === 'fill' ? this.#ofFill(exact, shares, price) : null;
    this.#numerator += exact;
    this.#shares += shares;
    return this.#note(ofFill ?? rounded(this.#numerator, this.#denominator, this.#rounding) - this.#charged);
  }

  #note(fee: bigint): Usdc {
    this.#charged += fee;
    return fee as Usdc;
  }

  #ofFill(exact: bigint, shares: Shares, price: Price): Usdc {
    const { balanceStep } = this.#rounding;
    const fee = rounded(exact, this.#denominator, this.#rounding);
    const due = balanceStep === undefined ? fee : this.#aligned(fee, shares, price, balanceStep);
    return least(due as Usdc, this.#mostFor(exact, shares));
  }

  /** The fee with what brings the balance to a whole step, less what comes back. */
  #aligned(fee: bigint, shares: Shares, price: Price, step: bigint): bigint {
    const isPurchase = this.side === 'BUY';
    const change = isPurchase ? -notional(shares, price, 'ceil') - fee : notional(shares, price, 'floor') - fee;
    const beyond = ((change % step) + step) % step;
    this.#overpaid += beyond;
    const back = least(this.#overpaid, fee + beyond) / step;
    this.#overpaid -= back * step;
    return fee + beyond - back * step;
  }

  /**
   * An upper bound of the charge for these shares at this price; two steps stand for the rounding. Where each fill is rounded by itself,
   * it leaves a rounding for each share that was filled and for each of these, and one more.
   */
  most(shares: Shares, price: Price): Usdc {
    return this.#mostFor(this.#exact(shares, price, mostRate(this.schedule)), shares);
  }

  #mostFor(exact: bigint, shares: Shares): Usdc {
    const { step, each } = this.#rounding;
    const due = (this.#numerator + exact + this.#denominator - 1n) / this.#denominator;
    const more = each === 'order' ? 2n * step : stepOf(this.#rounding) * ((this.#shares + shares) / ONE + 1n);
    return (due - this.#charged + more) as Usdc;
  }

  #exact(shares: Shares, price: Price, rate: bigint): bigint {
    return shares * rate * curve(this.schedule, price);
  }
}

/** The most that rounding adds at a time. */
const stepOf = ({ step, balanceStep = 0n }: FeeRounding): bigint => step + balanceStep;

const curve = ({ exponent }: FeeSchedule, price: Price): bigint => (price * (ONE - price)) ** BigInt(exponent);

/** What a share costs a taker at this price, fee included and exact: `cost` in parts of `whole`, which is 1 USDC. */
export function costOfShare(schedule: FeeSchedule, price: Price): { readonly cost: bigint; readonly whole: bigint } {
  const unit = ONE ** BigInt(2 * schedule.exponent);
  return { cost: price * unit + schedule.rate * curve(schedule, price), whole: ONE * unit };
}

/** What shares bring that are sold into a bid at once, after the fee; never below 0. */
export function proceedsAt(schedule: FeeSchedule | null, shares: Shares, bid: Price): Usdc {
  const fee = schedule === null ? 0n : new FeeMeter(schedule, 'SELL').charge(shares, bid);
  const proceeds = notional(shares, bid, 'floor');
  return (proceeds > fee ? proceeds - fee : 0n) as Usdc;
}

/** A fee to the nearest step, half up, or up to the next; one that is due is at least one step. */
function rounded(numerator: bigint, denominator: bigint, { step, to }: FeeRounding): bigint {
  if (numerator === 0n) return 0n;
  const unit = denominator * step;
  const steps = to === 'up' ? (numerator + unit - 1n) / unit : (2n * numerator + unit) / (2n * unit);
  return (steps === 0n ? 1n : steps) * step;
}

/** An order as far as its fee goes. */
export interface FeeOrder {
  readonly side: Side;
  readonly postOnly: boolean;
  /** What is still wanted. */
  readonly shares: Shares;
  /** The limit. */
  readonly price: Price;
}

/** A part of an order that was filled. */
export interface FeePart {
  readonly shares: Shares;
  readonly price: Price;
  readonly liquidity: 'MAKER' | 'TAKER';
}

/**
 * The most that an order may still pay in fees on top of its notional, given its fills, to be reserved with it; zero for a
 * SELL, which pays from its proceeds. It never grows from fill to fill by more than a better price saved: what such a price
 * adds to the fee it saves more of in notional.
 */
export function feeReserve(schedule: FeeSchedule | null, order: FeeOrder, filled: readonly FeePart[] = []): Usdc {
  if (schedule === null || order.side === 'SELL') return NO_USDC;
  const isFreeMaker = isFree(schedule, 'MAKER');
  if (isFreeMaker && (order.postOnly || isFree(schedule, 'TAKER'))) return NO_USDC;
  const meter = new FeeMeter(schedule);
  for (const { shares, price, liquidity } of filled) {
    if (!isFree(schedule, liquidity)) meter.charge(shares, price, liquidity);
  }
  return meter.most(order.shares, order.price);
}

/**
 * The most that the fees of a purchase that spends these dollars can be at any price: the lower the price, the more shares
 * they buy. A schedule that charges per share, regardless of price, has no such bound; it counts as one of exponent 1.
 */
export function feeOfDollars(schedule: FeeSchedule | null, dollars: Usdc): Usdc {
  if (schedule === null || dollars === 0n || (isFree(schedule, 'TAKER') && isFree(schedule, 'MAKER'))) return NO_USDC;
  return ((dollars * mostRate(schedule) + ONE - 1n) / ONE + 2n * stepOf(schedule.rounding ?? USUAL)) as Usdc;
}
