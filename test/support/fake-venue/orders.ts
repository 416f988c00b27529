import type { Market } from './markets.js';
import { decimal, type Hex, type Json, type OrderType, type Side } from './wire.js';

export type OrderStatus = 'LIVE' | 'DELAYED' | 'MATCHED' | 'CANCELED' | 'CANCELED_MARKET_RESOLVED' | 'INVALID';

/** An order at the venue, of a client or of the script. */
export interface VenueOrder {
  readonly hash: Hex;
  /** The API key that owns it. */
  readonly owner: string;
  /** The wallet that pays and is paid, in lower case. */
  readonly maker: string;
  readonly market: Market;
  readonly token: string;
  readonly side: Side;
  /** On the grid; the worst price that the signer takes. */
  readonly price: bigint;
  /** Shares as signed. */
  readonly size: bigint;
  /** Dollars as signed: the most that a BUY spends, the least that a SELL brings. */
  readonly dollars: bigint;
  readonly type: OrderType;
  readonly postOnly: boolean;
  /** Unix seconds; 0 for none. */
  readonly expiration: number;
  readonly createdAt: number;
  matched: bigint;
  status: OrderStatus;
  readonly trades: string[];
}

/** Shares that may still be filled. */
export const remaining = ({ size, matched }: VenueOrder): bigint => (matched >= size ? 0n : size - matched);

/** Whether it fills now or never. */
export const isImmediate = ({ type }: { readonly type: OrderType }): boolean => type === 'FOK' || type === 'FAK';

/** A row of `/data/orders` (`polymarket.md` 2.3). */
export function orderRow(order: VenueOrder): Json {
  return {
    id: order.hash,
    status: order.status,
    owner: order.owner,
    maker_address: order.maker,
    market: order.market.conditionId,
    asset_id: order.token,
    side: order.side,
    original_size: decimal(order.size),
    size_matched: decimal(order.matched),
    price: decimal(order.price),
    associate_trades: [...order.trades],
    outcome: order.market.outcomeOf(order.token),
    created_at: Math.floor(order.createdAt / 1000),
    expiration: `${order.expiration}`,
    order_type: order.type,
  };
}

/** A message of the user stream (`polymarket.md` 5). */
export function orderMessage(
  order: VenueOrder,
  type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION',
  now: number,
  status: string = order.status,
): Json {
  return {
    ...orderRow(order),
    event_type: 'order',
    type,
    status,
    order_owner: order.owner,
    associate_trades: order.trades.length === 0 ? null : [...order.trades],
    created_at: `${order.createdAt}`,
    timestamp: `${now}`,
  };
}

/** The same for a killed order: unknown members are left empty, including the size unless one is given. */
export function killMessage(order: VenueOrder, now: number, status: string, size: '' | '0'): Json {
  const unsaid = { size_matched: size, associate_trades: [], outcome: '', created_at: '' };
  return { ...orderMessage(order, 'CANCELLATION', now, status), ...unsaid };
}
