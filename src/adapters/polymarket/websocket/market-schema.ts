import * as v from 'valibot';
import { wireTimestamp } from '../http/wire-types.js';

const side = v.picklist(['BUY', 'SELL']);
const level = v.object({ price: v.string(), size: v.string() });

/** The members that all messages of the market channel share (`polymarket.md` 5); undefined when not a text. */
export const envelopeMessage = v.object({
  event_type: v.fallback(v.optional(v.string()), undefined),
  market: v.fallback(v.optional(v.string()), undefined),
  asset_id: v.fallback(v.optional(v.string()), undefined),
});

/** The whole book of one token. A missing tick comes as an empty text, or not at all. */
export const bookMessage = v.object({
  asset_id: v.string(),
  bids: v.array(level),
  asks: v.array(level),
  timestamp: wireTimestamp,
  tick_size: v.fallback(v.string(), ''),
});

const best = v.fallback(v.string(), '');

/** New totals of single levels, of one token or of both, and the best prices after them. */
export const priceChangeMessage = v.object({
  price_changes: v.array(
    v.object({ asset_id: v.string(), price: v.string(), size: v.string(), side, best_bid: best, best_ask: best }),
  ),
  timestamp: wireTimestamp,
});

/** The best prices of one token. */
export const bestMessage = v.object({
  asset_id: v.fallback(v.string(), ''),
  best_bid: best,
  best_ask: best,
  timestamp: wireTimestamp,
});

/** A match; `side` is what the incoming order did with this token. */
export const tradeMessage = v.object({ asset_id: v.string(), price: v.string(), size: v.string(), side });

/** The tick changed. */
export const tickMessage = v.object({ asset_id: v.string(), new_tick_size: v.string() });

/** A market is reported as decided. */
export const resolvedMessage = v.object({ market: v.string() });
