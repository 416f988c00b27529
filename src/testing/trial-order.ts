import assert from 'node:assert/strict';
import type { AccountId, MarketId, OrderId } from '../core/ids.js';
import { type Market, unlistedMarket } from '../core/market/market.js';
import { price, usdc } from '../core/money.js';
import { applyEvent } from '../core/order/apply.js';
import { intentOf, type OrderDraft } from '../core/order/draft.js';
import type { OrderChange } from '../core/order/event.js';
import type { Envelope, Order, Refusal } from '../core/order/order.js';
import type { Exchange } from '../ports/exchange.js';

/** A market with nothing but an id, and the usual lot of one hundredth of a share. */
export function bareMarket(id: string): Market {
  return unlistedMarket(id as MarketId);
}

let made = 0;

/**
 * A new order, as it is when it is sent to its venue: on record, and nothing more. Where orders are signed, it is a live
 * order under the identity that its envelope gives it. By default 10 USDC at 0.5.
 * @throws AssertionError when the venue cannot express it
 */
export async function trialOrder(
  { signing }: Pick<Exchange, 'signing'>,
  market: Market,
  changes: Partial<OrderDraft> = {},
): Promise<Order> {
  made += 1;
  const draft = {
    account: 'trial' as AccountId,
    venue: null,
    marketId: market.id,
    outcome: 'YES',
    side: 'BUY',
    price: price('0.5'),
    size: usdc('10'),
    timeInForce: 'GTC',
    expiresAt: null,
    postOnly: false,
    paper: signing === undefined,
    strategyId: null,
    ...changes,
  } as OrderDraft;
  // The form of a UUIDv7 whose moment is 0: no real order has it.
  const orderId = `00000000-0000-7000-8000-${made.toString(16).padStart(12, '0')}` as OrderId;
  const bare = intentOf(draft, market, null);
  const envelope = signing?.envelope(bare, market) ?? null;
  assert.ok(envelope === null || !('code' in envelope), `the venue cannot express a trial order: ${stated(envelope)}`);
  const at = draft.expiresAt === null ? new Date(0) : new Date(draft.expiresAt.getTime() - 3_600_000);
  const begun = step(undefined, orderId, at, { type: 'requested', intent: { ...bare, envelope } });
  if (signing === null) return begun;
  return step(begun, orderId, at, { type: 'submitting', venueOrderId: await signing.identify(begun) });
}

/** The order as it is on record once its venue accepted it, for asking the venue to cancel it. */
export function acceptedOrder(order: Order, venueOrderId: string): Order {
  const open = step(order, order.id, order.placedAt, { type: 'accepted', venueOrderId, delayed: false });
  return step(open, order.id, order.placedAt, { type: 'cancel_requested' });
}

function step(order: Order | undefined, orderId: OrderId, at: Date, change: OrderChange): Order {
  const account = 'trial' as AccountId;
  return applyEvent(order, { orderId, account, seq: (order?.seq ?? 0) + 1, at, change, hash: '' });
}

const stated = (envelope: Envelope | Refusal | null): string =>
  envelope !== null && 'code' in envelope ? `${envelope.code}: ${envelope.message}` : '';
