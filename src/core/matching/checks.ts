import { isOnGrid, type Market } from '../market/market.js';
import { isBelowLeastSize } from '../market/venue-choices.js';
import { formatMicro, notional } from '../money.js';
import { endOf } from '../order/intent.js';
import { type Order, type Refusal, refusal } from '../order/order.js';

/** Nothing is traded there any more. */
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

/** The venue killed a FOK order that could not fill whole. */
export const FOK_KILLED = refusal(
  'fok_not_filled',
  "Order couldn't be fully filled. FOK orders are fully filled or killed.",
);
/** The venue killed a FAK order that found nothing. */
export const FAK_KILLED = refusal(
  'fak_no_match',
  'No orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.',
);
/** We do not match against a book that may be stale. */
export const STALE = refusal(
  'market_data_stale',
  'The book of this market may be out of date, so the order was not matched against it. Try again in a moment.',
);
