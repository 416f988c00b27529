import * as v from 'valibot';
import { mirrored } from '../../../core/market/book.js';
import type { OutcomeSide } from '../../../core/market/market.js';
import type { Side } from '../../../core/market/side.js';
import type { Price, Shares, Usdc } from '../../../core/money.js';
import { boundedText, wireMoment, wireText } from '../../venue/wire-types.js';
import { shardIndex } from './exchange-status.js';
import { contractCount, signedContractCount, wireDollars, wirePrice } from './fixed-point.js';

const id = v.pipe(boundedText, v.nonEmpty());
/** Deprecated names vanish, and nothing may take their place: only the present ones are read (K10). */
const bookSide = v.picklist(['bid', 'ask']);

/** Which of our four intents an order or a trade is: the venue has one book, of the first outcome (`kalshi.md` 5.1). */
export interface Leg {
  readonly outcome: OutcomeSide;
  readonly side: Side;
}

/** A side of the venue's book, and the price there. */
export interface BookPlace {
  readonly side: 'bid' | 'ask';
  /** Of the first outcome. */
  readonly yesPrice: Price;
}

/** Where an order of ours stands in the venue's book: the one place where prices of the second outcome are turned over (K7). */
export function bookPlaceOf({ outcome, side }: Leg, price: Price): BookPlace {
  const isBid = (side === 'BUY') === (outcome === 'YES');
  return { side: isBid ? 'bid' : 'ask', yesPrice: outcome === 'YES' ? price : mirrored(price) };
}

/** The inverse: the price of an outcome, from that of the first. */
export const priceOfOutcome = (outcome: OutcomeSide, yesPrice: Price): Price =>
  outcome === 'YES' ? yesPrice : mirrored(yesPrice);

/** An order as the venue shows it (`kalshi.md` 6). */
export interface KalshiOrder {
  readonly orderId: string;
  /** The identity that it was sent under; empty where it has none, as one placed on the web page. */
  readonly clientOrderId: string;
  readonly ticker: string;
  readonly bookSide: 'bid' | 'ask';
  /** Of the first outcome. */
  readonly yesPrice: Price;
  readonly status: 'resting' | 'canceled' | 'executed' | 'unknown';
  readonly initial: Shares;
  readonly filled: Shares;
  readonly remaining: Shares;
  /** Of all its fills, as a taker and as a maker; null where the venue does not say. */
  readonly fees: Usdc | null;
  readonly shard: number;
}

const STATUSES = ['resting', 'canceled', 'executed'] as const;

/** Reads an order of the wire. */
export const kalshiOrder = v.pipe(
  v.object({
    order_id: id,
    client_order_id: v.nullish(boundedText, ''),
    ticker: id,
    book_side: bookSide,
    yes_price_dollars: wirePrice,
    status: v.fallback(v.picklist([...STATUSES, 'unknown']), 'unknown'),
    initial_count_fp: contractCount,
    fill_count_fp: contractCount,
    remaining_count_fp: contractCount,
    taker_fees_dollars: v.nullish(wireDollars, null),
    maker_fees_dollars: v.nullish(wireDollars, null),
    exchange_index: shardIndex,
  }),
  v.transform((row): KalshiOrder => {
    const { taker_fees_dollars: taker, maker_fees_dollars: maker } = row;
    return {
      orderId: row.order_id,
      clientOrderId: row.client_order_id,
      ticker: row.ticker,
      bookSide: row.book_side,
      yesPrice: row.yes_price_dollars,
      status: row.status,
      initial: row.initial_count_fp,
      filled: row.fill_count_fp,
      remaining: row.remaining_count_fp,
      fees: taker === null || maker === null ? null : ((taker + maker) as Usdc),
      shard: row.exchange_index,
    };
  }),
);

/** One fill of an order of the account. Fills are final (`kalshi.md` 6). */
export interface KalshiFill {
  readonly tradeId: string;
  readonly orderId: string;
  /** Null by REST, which does not tell it. */
  readonly clientOrderId: string | null;
  readonly ticker: string;
  readonly bookSide: 'bid' | 'ask';
  readonly yesPrice: Price;
  readonly shares: Shares;
  readonly fee: Usdc;
  readonly isTaker: boolean;
}

/** Reads a fill of the wire, by REST or by the stream. */
export const kalshiFill = v.pipe(
  v.object({
    trade_id: v.nullish(id),
    fill_id: v.nullish(id),
    order_id: id,
    client_order_id: v.nullish(boundedText, null),
    ticker: v.nullish(id),
    market_ticker: v.nullish(id),
    book_side: bookSide,
    yes_price_dollars: wirePrice,
    count_fp: contractCount,
    fee_cost: wireDollars,
    is_taker: v.boolean(),
  }),
  v.check((row) => (row.trade_id ?? row.fill_id) != null && (row.ticker ?? row.market_ticker) != null, 'unnamed'),
  v.transform(
    (row): KalshiFill => ({
      tradeId: row.trade_id ?? row.fill_id ?? '',
      orderId: row.order_id,
      clientOrderId: row.client_order_id === '' ? null : row.client_order_id,
      ticker: row.ticker ?? row.market_ticker ?? '',
      bookSide: row.book_side,
      yesPrice: row.yes_price_dollars,
      shares: row.count_fp,
      fee: row.fee_cost,
      isTaker: row.is_taker,
    }),
  ),
);

/** The cash of the account, in all and on each shard. `balance` in cents is truncated and not read. */
export interface KalshiBalance {
  readonly balance: Usdc;
  readonly byShard: ReadonlyMap<number, Usdc>;
}

/** Reads a balance of the wire. */
export const kalshiBalance = v.pipe(
  v.object({
    balance_dollars: wireDollars,
    balance_breakdown: v.nullish(v.array(v.object({ exchange_index: shardIndex, balance: wireDollars })), []),
  }),
  v.transform(
    ({ balance_dollars, balance_breakdown }): KalshiBalance => ({
      balance: balance_dollars,
      byShard: new Map(balance_breakdown.map(({ exchange_index, balance }) => [exchange_index, balance])),
    }),
  ),
);

/** The one position of the account in a market: above 0 of the first outcome, below 0 of the second (`kalshi.md` 6). */
export interface KalshiPosition {
  readonly ticker: string;
  readonly net: Shares;
}

/** Reads a position of the wire. */
export const kalshiPosition = v.pipe(
  v.object({ ticker: id, position_fp: signedContractCount }),
  v.transform(({ ticker, position_fp }): KalshiPosition => ({ ticker, net: position_fp })),
);

/** Reads of a result that was paid to the account when that was; its counts and its revenue are not needed (`kalshi.md` 8.3). */
export const kalshiSettlement = v.object({ ticker: id, settled_time: id });

/** The keys of the account, their scopes, and until when the location of the account is attested; null for never. */
export const apiKeys = v.pipe(
  v.object({
    api_keys: v.nullish(
      v.array(v.object({ api_key_id: boundedText, scopes: v.nullish(v.array(boundedText), []) })),
      [],
    ),
    api_key_region_expiration_ts: v.nullish(v.union([v.number(), boundedText]), null),
  }),
  v.transform(({ api_keys, api_key_region_expiration_ts: until }) => ({
    scopes: new Map(api_keys.map(({ api_key_id, scopes }) => [api_key_id, scopes])),
    attestedUntil: until === null || Number.isNaN(Number(until)) ? null : new Date(Number(until) * 1000),
  })),
);

/** About how current the private reads are. */
export const userDataTime = v.object({ as_of_time: wireMoment });

/** The tier of the account, and the tokens that it has in a second; null where the venue says nothing that could be true. */
export interface KalshiLimits {
  readonly tier: string | null;
  readonly read: number | null;
  readonly write: number | null;
}

/** Fewer would not do for one request of each kind in half a second, and the highest tier has an eighth of the most (`kalshi.md` 2.4). */
const [FEWEST_TOKENS, MOST_TOKENS] = [50, 100_000];
const tokens = v.pipe(
  v.union([v.number(), boundedText]),
  v.transform(Number),
  v.number(),
  v.minValue(FEWEST_TOKENS),
  v.maxValue(MOST_TOKENS),
);
/** No more than the bucket holds, should that be less than what a second fills. */
const tokenBucket = v.fallback(
  v.pipe(
    v.object({ refill_rate: tokens, bucket_capacity: v.nullish(tokens, null) }),
    v.transform(({ refill_rate: rate, bucket_capacity: capacity }): number | null => Math.min(rate, capacity ?? rate)),
  ),
  null,
);

/** Reads the limits of the account. */
export const kalshiLimits = v.pipe(
  v.object({ usage_tier: v.fallback(wireText, null), read: tokenBucket, write: tokenBucket }),
  v.transform(({ usage_tier, read, write }): KalshiLimits => ({ tier: usage_tier, read, write })),
);
