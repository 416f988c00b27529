import type { AccountId, MarketId, OrderId } from '../core/ids.js';
import { type Market, unlistedMarket } from '../core/market/market.js';
import { price, usdc } from '../core/money.js';
import { applyEvent } from '../core/order/apply.js';
import { intentOf, type OrderDraft } from '../core/order/draft.js';
import type { Order } from '../core/order/order.js';

/** A market of which nothing but its id is known, with the usual lot of one hundredth of a share. */
export function bareMarket(id: string): Market {
  return unlistedMarket(id as MarketId);
}

let made = 0;

/** A new order, as it is when it leaves for its venue: on record, and nothing more. 10 USDC at 0.5 unless told otherwise. */
export function trialOrder(market: Market, changes: Partial<OrderDraft> = {}): Order {
  made += 1;
  const draft: OrderDraft = {
    ...{ account: 'trial' as AccountId, marketId: market.id, token: 'YES', side: 'BUY' },
    ...{ price: price('0.5'), size: usdc('10'), timeInForce: 'GTC', expiresAt: null, postOnly: false },
    ...{ paper: true, strategyId: null },
    ...changes,
  };
  // The form of a UUIDv7 whose moment is 0: no order that was ever really placed has it.
  const orderId = `00000000-0000-7000-8000-${made.toString(16).padStart(12, '0')}` as OrderId;
  const change = { type: 'requested', intent: intentOf(draft, market, null) } as const;
  const at = draft.expiresAt === null ? new Date(0) : new Date(draft.expiresAt.getTime() - 3_600_000);
  return applyEvent(undefined, { orderId, account: draft.account, seq: 1, at, change, hash: '' });
}

/** The order as it stands in the ledger once its venue accepted it, for asking the venue to cancel it. */
export function acceptedOrder(order: Order, venueOrderId: string): Order {
  const { id: orderId, account, placedAt: at } = order;
  const accepted = { type: 'accepted', venueOrderId, delayed: false } as const;
  const open = applyEvent(order, { orderId, account, seq: 2, at, change: accepted, hash: '' });
  return applyEvent(open, { orderId, account, seq: 3, at, change: { type: 'cancel_requested' }, hash: '' });
}
