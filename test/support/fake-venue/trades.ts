import { createHash } from 'node:crypto';
import type { VenueOrder } from './orders.js';
import { decimal, type Hex, type Json } from './wire.js';

export type TradeStatus = 'MATCHED_NOT_BROADCASTED' | 'MATCHED' | 'MINED' | 'CONFIRMED' | 'RETRYING' | 'FAILED';

/** The part of one resting order in a trade, at its own price. */
export interface MakerFill {
  readonly order: VenueOrder;
  readonly size: bigint;
  readonly cost: bigint;
}

/** One match, or one of the transactions that settle it. */
export interface VenueTrade {
  readonly id: string;
  readonly taker: VenueOrder;
  readonly makers: readonly MakerFill[];
  readonly size: bigint;
  /** Of the taker's token. */
  readonly price: bigint;
  /** Dollars that the taker paid or received, without the fee. */
  readonly cost: bigint;
  readonly fee: bigint;
  readonly bucket: number;
  readonly matchedAt: number;
  status: TradeStatus;
  updatedAt: number;
  transaction: Hex | '';
  /** Whether balances have moved. */
  moved: boolean;
}

/** A name that looks like the hash of a transaction, the same each time. */
export function transactionOf(id: string): Hex {
  return `0x${createHash('sha256').update(id).digest('hex')}`;
}

/** Whether this API key is on either side of the trade. */
export function concerns({ taker, makers }: VenueTrade, owner: string): boolean {
  return taker.owner === owner || makers.some(({ order }) => order.owner === owner);
}

/** A row of `/data/trades` as this API key sees it: the top is the taker's also when the reader was the maker. */
export function tradeRow(trade: VenueTrade, owner: string): Json {
  const { taker } = trade;
  return {
    id: trade.id,
    taker_order_id: taker.hash,
    market: taker.market.conditionId,
    asset_id: taker.token,
    side: taker.side,
    size: decimal(trade.size),
    fee_rate_bps: '0',
    price: decimal(trade.price),
    status: trade.status,
    match_time: `${Math.floor(trade.matchedAt / 1000)}`,
    last_update: `${Math.floor(trade.updatedAt / 1000)}`,
    outcome: taker.market.outcomeOf(taker.token),
    bucket_index: trade.bucket,
    owner: taker.owner,
    maker_address: taker.maker,
    transaction_hash: trade.transaction,
    trader_side: taker.owner === owner ? 'TAKER' : 'MAKER',
    maker_orders: trade.makers.map(({ order, size }) => ({
      order_id: order.hash,
      owner: order.owner,
      maker_address: order.maker,
      matched_amount: decimal(size),
      price: decimal(order.price),
      fee_rate_bps: '0',
      asset_id: order.token,
      outcome: order.market.outcomeOf(order.token),
      side: order.side,
    })),
  };
}

/** A message of the user stream for this API key. */
export function tradeMessage(trade: VenueTrade, owner: string): Json {
  return {
    ...tradeRow(trade, owner),
    event_type: 'trade',
    type: 'TRADE',
    trade_owner: owner,
    timestamp: `${trade.updatedAt}`,
  };
}
