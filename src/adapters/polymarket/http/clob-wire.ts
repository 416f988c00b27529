import * as v from 'valibot';
import { AmountMalformed, MarketDataUnavailable } from '../../../core/errors.js';
import type { Level } from '../../../core/market/event.js';
import { ONE, type Price } from '../../../core/money.js';
import { priceIn, sharesIn } from '../../venue/decimals.js';
import { understood, wireFlag, wireMicro, wireMoment, wireSeconds, wireTimestamp } from '../../venue/wire-types.js';

const compact = v.object({
  c: v.string(),
  t: v.array(v.object({ t: v.string() })),
  mts: wireMicro,
  mos: wireMicro,
  nr: wireFlag,
  fd: v.nullish(v.object({ r: wireMicro, e: v.nullish(v.number(), null), to: wireFlag }), null),
  ao: wireFlag,
  sd: wireSeconds,
  gst: wireMoment,
  cbos: wireFlag,
});

const full = v.object({
  condition_id: v.string(),
  market_slug: v.nullish(v.string(), null),
  closed: wireFlag,
  accepting_orders: wireFlag,
  minimum_tick_size: wireMicro,
  minimum_order_size: wireMicro,
  game_start_time: wireMoment,
  seconds_delay: wireSeconds,
  neg_risk: wireFlag,
  is_50_50_outcome: wireFlag,
  tokens: v.array(v.object({ token_id: v.string(), winner: wireFlag })),
});

const level = v.object({ price: v.string(), size: v.string() });
const book = v.object({
  asset_id: v.string(),
  timestamp: wireTimestamp,
  tick_size: wireMicro,
  bids: v.array(level),
  asks: v.array(level),
});

/** The record of `/clob-markets/{condition id}` (`polymarket.md` 2.2). */
export type CompactMarket = v.InferOutput<typeof compact>;
/** The record of `/markets/{condition id}` of the CLOB (`polymarket.md` 2.2). */
export type ClobMarket = v.InferOutput<typeof full>;

/** The book of one token; best level first on both sides. */
export interface TokenBook {
  readonly tokenId: string;
  /** When it last changed, in milliseconds, by the clock of the stream's messages; null when the venue does not say. */
  readonly sentAt: number | null;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** Reads the compact record. @throws MarketDataUnavailable for another shape. */
export const readCompactMarket = (value: unknown): CompactMarket => understood(compact, value);
/** Reads the full record. @throws MarketDataUnavailable for another shape. */
export const readClobMarket = (value: unknown): ClobMarket => understood(full, value);

/**
 * Reads an answer of `/book`; sorts it, since the venue's sorting is not reliable, and floors sizes to 6 decimals.
 * @throws MarketDataUnavailable for another shape, and for a price off the book's own grid.
 */
export function readBook(value: unknown): TokenBook {
  const { asset_id, timestamp: sentAt, tick_size, bids, asks } = understood(book, value);
  return { tokenId: asset_id, sentAt, bids: side(bids, tick_size, -1), asks: side(asks, tick_size, 1) };
}

function side(levels: readonly v.InferOutput<typeof level>[], tick: bigint | null, direction: 1 | -1): Level[] {
  return levels
    .map(({ price, size }) => readLevel(price, size, tick))
    .filter(({ shares }) => shares > 0n)
    .sort((a, b) => (a.price < b.price ? -direction : direction));
}

function readLevel(price: string, size: string, tick: bigint | null): Level {
  try {
    const level: Level = { price: priceIn(price), shares: sharesIn(size) };
    if (isOnGrid(level.price, tick)) return level;
  } catch (error) {
    if (!(error instanceof AmountMalformed)) throw error;
  }
  throw new MarketDataUnavailable('The source of market data shows a book with an impossible level.');
}

function isOnGrid(price: Price, tick: bigint | null): boolean {
  if (tick === null || tick === 0n) return true;
  return price % tick === 0n && price >= tick && price <= ONE - tick;
}
