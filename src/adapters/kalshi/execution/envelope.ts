import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { isOnGrid, type Market, OUTCOME_SIDES } from '../../../core/market/market.js';
import { formatMicro, NO_SHARES, ONE, type Price, type Usdc } from '../../../core/money.js';
import {
  type Envelope,
  endOf,
  type Intent,
  isImmediate,
  type Order,
  type Refusal,
  refusal,
} from '../../../core/order/order.js';
import { bookPlaceOf } from '../http/account-records.js';
import { countText, priceText, wirePrice } from '../http/fixed-point.js';
import { KALSHI_ENVIRONMENTS, type KalshiEnvironment } from '../venue-name.js';

/** What is sent of an order, and what identifies it. The headers are no part of it: they are signed at every sending. */
export interface KalshiEnvelope {
  readonly environment: KalshiEnvironment;
  readonly ticker: string;
  readonly clientOrderId: string;
  readonly outcome: Intent['outcome'];
  readonly bookSide: 'bid' | 'ask';
  /** Of the first outcome. */
  readonly yesPrice: Price;
  /** Sent byte for byte, in every copy. */
  readonly body: string;
  readonly sendBy: Date;
  /** When the venue ends it by itself; null for an order without an end. */
  readonly expiresAt: Date | null;
  /** FOK and FAK: fills at once, and never rests. */
  readonly isImmediate: boolean;
}

/** What an envelope is made for: an environment, the most that an order may be worth there, and how long it may wait to be sent. */
export interface KalshiEnvelopeTerms {
  readonly environment: KalshiEnvironment;
  readonly orderCap: Usdc;
  readonly now: Date;
  readonly sendWithinMs: number;
}

const VERSION = 1;
/** An expiry in the past is refused; the request takes some time to arrive. */
const LEAST_AHEAD_MS = 5000;

const WORDS = {
  GTC: 'good_till_canceled',
  GTD: 'good_till_canceled',
  FOK: 'fill_or_kill',
  FAK: 'immediate_or_cancel',
} as const;

/**
 * Fixes everything that will be sent of an order, with a fresh identity; or returns why the venue's rules cannot express it, and the remedy.
 * The identity is a new UUID: one of an order that was restored from a backup is never made again (K3).
 */
export function kalshiEnvelope(
  intent: Intent,
  market: Market,
  { environment, orderCap, now, sendWithinMs }: KalshiEnvelopeTerms,
): Envelope | Refusal {
  const { terms } = market;
  if (terms === null) {
    return refusal('market_terms_unknown', 'The venue does not give the terms of this market. Try again later.');
  }
  const { side, price, shares, timeInForce, postOnly, outcome } = intent;
  if (!isOnGrid(terms, price)) {
    return refusal('invalid_tick', 'The price is not on the grid of the market. Look the market up again.');
  }
  if (shares * price > orderCap * ONE) {
    return refusal(
      'signing_refused',
      `The order is worth more than the ${formatMicro(orderCap)} dollars of LIVE_MAX_ORDER_USDC.`,
    );
  }
  if (postOnly && isImmediate(intent)) {
    return refusal('invalid_post_only', 'An order that fills at once cannot be post-only: use GTC or GTD.');
  }
  const end = endOf(intent);
  if (end !== null && end.getTime() < now.getTime() + LEAST_AHEAD_MS) {
    return refusal(
      'expiry_too_near',
      `The venue needs expires_at to be at least ${LEAST_AHEAD_MS / 1000} seconds ahead.`,
    );
  }
  const place = bookPlaceOf({ outcome, side }, price);
  const clientOrderId = randomUUID();
  const body = JSON.stringify({
    ticker: market.id,
    client_order_id: clientOrderId,
    side: place.side,
    count: countText(shares),
    price: priceText(place.yesPrice),
    time_in_force: WORDS[timeInForce],
    self_trade_prevention_type: 'taker_at_cross',
    ...(end !== null && { expiration_time: end.getTime() / 1000 }),
    ...(postOnly && { post_only: true }),
    // A second guard beside our own books: the venue has no sale, only the other side (K6).
    ...(side === 'SELL' && isImmediate(intent) && { reduce_only: true }),
  });
  const content = JSON.stringify({
    version: VERSION,
    environment,
    ticker: market.id,
    clientOrderId,
    outcome,
    bookSide: place.side,
    yesPrice: priceText(place.yesPrice),
    expiresAt: end === null ? null : end.getTime(),
    isImmediate: isImmediate(intent),
    body,
  });
  return { content, sendBy: new Date(now.getTime() + sendWithinMs), spends: null, dust: NO_SHARES };
}

const recorded = v.object({
  version: v.literal(VERSION),
  environment: v.picklist(KALSHI_ENVIRONMENTS),
  ticker: v.string(),
  clientOrderId: v.pipe(v.string(), v.uuid()),
  outcome: v.picklist(OUTCOME_SIDES),
  bookSide: v.picklist(['bid', 'ask']),
  yesPrice: wirePrice,
  expiresAt: v.nullable(v.pipe(v.number(), v.safeInteger())),
  isImmediate: v.boolean(),
  body: v.string(),
});

/** What an order's envelope holds; null when there is none that can be read. */
export function kalshiEnvelopeIn({ intent: { envelope } }: Pick<Order, 'intent'>): KalshiEnvelope | null {
  if (envelope === null) return null;
  try {
    const { version: _, expiresAt, ...read } = v.parse(recorded, JSON.parse(envelope.content));
    return { ...read, sendBy: envelope.sendBy, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
  } catch {
    return null;
  }
}

/** True of an order of this environment: the keys of one see nothing of the other. Also true of one that was never to be sent. */
export const isOfEnvironment = (order: Pick<Order, 'intent'>, environment: KalshiEnvironment): boolean =>
  (kalshiEnvelopeIn(order)?.environment ?? environment) === environment;
