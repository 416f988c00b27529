import { mirrored } from '../market/book.js';
import type { BookSide } from '../market/event.js';
import { FeeMeter, isBelowLeastSize, isFree } from '../market/fee.js';
import { CENTI_SHARE, isOnGrid, type Market, type OutcomeSide, Want } from '../market/market.js';
import {
  formatMicro,
  least,
  NO_SHARES,
  NO_USDC,
  notional,
  type Price,
  plus,
  type Shares,
  type Usdc,
} from '../money.js';
import type { Execution, Liquidity, TakenLevel } from '../order/order.js';
import { dollarsLeft, endOf, type Intent, type Order, type Refusal, refusal, remaining } from '../order/order.js';

/** When an order reaches the venue. Where that is not on record, the latency applies. */
export const arrivalOf = ({ intent, placedAt }: Order, latencyMs: number): Date =>
  intent.arrivesAt ?? new Date(placedAt.getTime() + latencyMs);

/** The side of the book that such an order matches with, in terms of the first outcome. */
export const takenSide = ({ outcome, side }: Pick<Intent, 'outcome' | 'side'>): BookSide =>
  (outcome === 'YES') === (side === 'BUY') ? 'asks' : 'bids';

/** A price of this outcome in terms of the first one, and back. */
export const inFirst = (outcome: OutcomeSide, price: Price): Price => (outcome === 'YES' ? price : mirrored(price));

/**
 * One order at the simulated venue. A market's two books are one, in terms of its first outcome: wanting the second outcome
 * at p is offering the first at 1 − p.
 */
export class WorkingOrder {
  /** The side of the book on which the order would rest. */
  readonly rests: BookSide;
  /** The side that it would match with. */
  readonly takes: BookSide;
  /** The limit, in terms of the first outcome. */
  readonly limit: Price;
  /** When it stops resting; null where that is not known beforehand. */
  readonly end: Date | null;
  /** Shares of others that are ahead in the queue, at the same price. */
  ahead: Shares = NO_SHARES;
  /** Shares among `ahead` that traded at the venue and would still be there, because earlier orders of the account were served instead. */
  displaced: Shares = NO_SHARES;
  /** What was ahead when the order came to rest. */
  queuedBehind: Shares = NO_SHARES;
  /** How far it last moved up because its level shrank, and when, in milliseconds. */
  gone: Shares = NO_SHARES;
  goneAt = Number.NEGATIVE_INFINITY;
  readonly executions: Execution[] = [];
  readonly #want: Want;
  #got: Shares;
  readonly #meter: FeeMeter | null;
  readonly #before: number;

  constructor(
    readonly order: Order,
    lot: Shares = CENTI_SHARE,
  ) {
    const { outcome, side, price, feeSchedule } = order.intent;
    this.takes = takenSide(order.intent);
    this.rests = this.takes === 'asks' ? 'bids' : 'asks';
    this.limit = inFirst(outcome, price);
    this.end = endOf(order.intent);
    this.#got = order.filled.shares;
    const dollars = dollarsLeft(order);
    this.#want = dollars === null ? Want.shares(remaining(order)) : Want.dollars(dollars, price, lot);
    this.#meter = feeSchedule === null ? null : new FeeMeter(feeSchedule, side);
    this.#before = order.fills.length;
    for (const fill of order.fills) this.#due(fill.shares, fill.price, fill.liquidity);
  }

  /** Shares still wanted, at the limit. */
  get remaining(): Shares {
    return this.#want.shares;
  }

  /** True once it got what it was to get: all of its shares, or what its dollars bought. */
  get isFilled(): boolean {
    return this.remaining === 0n || this.#got >= this.order.intent.shares;
  }

  /** A copy of what it still needs, to count down without changing the order. */
  wants(): Want {
    return this.#want.copy();
  }

  /** A price given in terms of the first outcome, in terms of the order's own. */
  own(price: Price): Price {
    return inFirst(this.order.intent.outcome, price);
  }

  /** How the simulated venue calls the order. */
  get venueOrderId(): string {
    return `paper-${this.order.id}`;
  }

  /** True when a level at this price, on the side that it takes from, is within the limit. */
  reaches(price: Price): boolean {
    return this.takes === 'asks' ? price <= this.limit : price >= this.limit;
  }

  /**
   * Fills shares at a price given in terms of the first outcome; `model` says what that assumed, and `taken` what it took of
   * what is displayed.
   */
  fill(shares: Shares, at: Price, liquidity: Liquidity, model: string, taken?: TakenLevel): Execution {
    const price = this.own(at);
    const tradeId = `paper-${this.order.id}-${this.#before + this.executions.length + 1}`;
    const fee = this.#fee(shares, price, liquidity);
    const execution: Execution = {
      tradeId,
      shares,
      price,
      fee,
      liquidity,
      confirmed: true,
      model,
      ...(taken && { taken }),
    };
    this.#want.take(shares, price);
    this.#got = plus(this.#got, shares);
    this.executions.push(execution);
    return execution;
  }

  /** A sale pays its fee from its proceeds, and so never more than those. */
  #fee(shares: Shares, price: Price, liquidity: Liquidity): Usdc {
    const fee = this.#due(shares, price, liquidity);
    return this.order.intent.side === 'SELL' ? least(fee, notional(shares, price, 'floor')) : fee;
  }

  /** What these shares add to the running total, which goes on from the fills on record. */
  #due(shares: Shares, price: Price, liquidity: Liquidity): Usdc {
    const { feeSchedule } = this.order.intent;
    if (this.#meter === null || feeSchedule === null || isFree(feeSchedule, liquidity)) return NO_USDC;
    return this.#meter.charge(shares, price, liquidity);
  }
}

/** Whether a market trades no more. */
export const hasMarketEnded = ({ payout, status }: Market): boolean => payout !== null || status === 'closed';

/** Why the venue refuses an order regardless of its book, in the venue's words; null when it accepts it. */
export function rejection({ intent }: Order, market: Market): Refusal | null {
  const { terms } = market;
  const { price, shares } = intent;
  if (hasMarketEnded(market)) {
    return refusal('market_closed', 'No orderbook exists for the requested token id.');
  }
  if (terms === null || !terms.acceptingOrders) {
    return refusal('market_not_accepting_orders', 'The market is not yet ready to process new orders.');
  }
  if (!isOnGrid(terms, price)) {
    const rule = `Price (${formatMicro(price)}) breaks minimum tick size rule: ${formatMicro(terms.tick)}`;
    return refusal('invalid_tick', `The order is invalid. ${rule}.`);
  }
  if (isBelowLeastSize(shares, terms.minShares)) {
    const sizes = `Size (${formatMicro(shares)}) lower than the minimum: ${formatMicro(terms.minShares)}`;
    return refusal('size_below_minimum', `The order is invalid. ${sizes}.`);
  }
  return null;
}

/**
 * Why the venue refuses an order that arrives at this moment; null when it accepts it. `matches`: it would match at once.
 */
export function arrivalRejection(order: Order, market: Market, arrived: Date, matches: boolean): Refusal | null {
  const refusal = rejection(order, market) ?? expiryRejection(order, market, arrived);
  return refusal ?? (matches ? takerRejection(order, market) : null);
}

/** Why the venue refuses an order that arrives now for how long it would rest; null when it accepts it. */
function expiryRejection({ intent }: Order, { terms }: Market, arrived: Date): Refusal | null {
  const end = endOf(intent);
  const leadMs = terms?.gtdLeadMs ?? 0;
  if (end === null || end.getTime() >= arrived.getTime() + leadMs) return null;
  return refusal('invalid_expiration', `Invalid expiration: it must be at least ${leadMs} ms after the order arrives.`);
}

/** Why the venue refuses an order that would match at once; null when it may match. */
function takerRejection(order: Order, market: Market): Refusal | null {
  const { side, shares, price, postOnly } = order.intent;
  if (postOnly) return refusal('post_only_would_cross', 'Invalid post-only order: order crosses book.');
  const amount = notional(shares, price, 'floor');
  const least = market.terms?.minNotional ?? 0n;
  if (side === 'SELL' || amount >= least) return null;
  const sizes = `($${formatMicro(amount)}), min size: $${formatMicro(least)}`;
  return refusal('notional_below_minimum', `Invalid amount for a marketable BUY order ${sizes}.`);
}

/** The venue killed a FOK order that could not fill whole: its words, and what decided. */
export function fokKilled({ order: { intent } }: WorkingOrder, offered: Shares): Refusal {
  const words = "Order couldn't be fully filled. FOK orders are fully filled or killed.";
  const figures = `${formatMicro(offered)} of ${formatMicro(intent.shares)} shares were there at ${formatMicro(intent.price)} or better`;
  return refusal('fok_not_filled', `${words} ${figures}.`);
}

/** The venue killed a FAK order that found nothing: its words, and what decided. `best` is the best price; null where there is none. */
export function fakKilled(working: WorkingOrder, best: Price | null): Refusal {
  const words =
    'No orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';
  return refusal('fak_no_match', `${words} ${whyNoMatch(working, best)}.`);
}

function whyNoMatch(working: WorkingOrder, best: Price | null): string {
  if (best === null) return 'That side of the book was empty';
  const [price, limit] = [working.own(best), working.order.intent.price].map(formatMicro);
  if (working.reaches(best)) return `At ${price} the account had taken before all that is displayed`;
  return `The best price was ${price}, the limit ${limit}`;
}

/** We do not match against a book that may be stale. */
export const STALE = refusal(
  'market_data_stale',
  'The book of this market may be out of date, so the order was not matched against it. Try again in a moment.',
);
