import { ONE, type Price, type Shares, type Usdc } from '../money.js';
import type { Side } from './side.js';
import { FEE_STEP as STEP } from './venue-choices.js';

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
  /** When the schedule was read from the venue, or since when it holds where the venue tells. */
  readonly asOf: Date;
}

/** The largest exponent that a schedule may have; what is above is a formula that we do not know. */
export const MOST_EXPONENT = 4;

/**
 * The fee of one order, fill by fill. The running total is what gets rounded, so that an order that fills in many parts
 * pays what it would have paid in one.
 */
export class FeeMeter {
  #numerator = 0n;
  #charged = 0n;
  readonly #denominator: bigint;

  constructor(private readonly schedule: FeeSchedule) {
    this.#denominator = ONE ** BigInt(2 * schedule.exponent + 1);
  }

  /** The fee for these shares at this price, given all that was charged before. Never negative. */
  charge(shares: Shares, price: Price): Usdc {
    this.#numerator += this.#exact(shares, price);
    const due = rounded(this.#numerator, this.#denominator);
    const fee = due - this.#charged;
    this.#charged = due;
    return fee as Usdc;
  }

  /** More than these shares at this price can be charged, however they come; two steps stand for the rounding. */
  most(shares: Shares, price: Price): Usdc {
    const due = (this.#numerator + this.#exact(shares, price) + this.#denominator - 1n) / this.#denominator;
    return (due - this.#charged + 2n * STEP) as Usdc;
  }

  #exact(shares: Shares, price: Price): bigint {
    const { rate, exponent } = this.schedule;
    return shares * rate * (price * (ONE - price)) ** BigInt(exponent);
  }
}

/** To the nearest step, half up; whatever is due is at least one step. */
function rounded(numerator: bigint, denominator: bigint): bigint {
  if (numerator === 0n) return 0n;
  const unit = denominator * STEP;
  const steps = (2n * numerator + unit) / (2n * unit);
  return (steps === 0n ? 1n : steps) * STEP;
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
 * The most that an order may still pay on top of its notional, given what was filled of it, to be kept back with it; zero
 * for a SELL, which pays from its proceeds. It never grows from fill to fill by more than a better price saved: what such a
 * price adds to the fee it saves more of in notional.
 */
export function feeReserve(schedule: FeeSchedule | null, order: FeeOrder, filled: readonly FeePart[] = []): Usdc {
  if (schedule === null || order.side === 'SELL' || schedule.rate === 0n) return 0n as Usdc;
  if (order.postOnly && schedule.takerOnly) return 0n as Usdc;
  const meter = new FeeMeter(schedule);
  for (const { shares, price, liquidity } of filled) {
    if (liquidity === 'TAKER' || !schedule.takerOnly) meter.charge(shares, price);
  }
  return meter.most(order.shares, order.price);
}

/**
 * The most that the fees of a purchase can be that spends these dollars whatever the price: the lower the price, the more
 * shares they buy. A schedule that charges by the share alone, whatever its price, has no such bound; it counts as one of
 * exponent 1.
 */
export function feeOfDollars(schedule: FeeSchedule | null, dollars: Usdc): Usdc {
  if (schedule === null || schedule.rate === 0n || dollars === 0n) return 0n as Usdc;
  return ((dollars * schedule.rate + ONE - 1n) / ONE + 2n * STEP) as Usdc;
}
