import * as v from 'valibot';
import { wireTimestamp } from '../http/wire-types.js';

const side = v.picklist(['BUY', 'SELL']);
const level = v.object({ price: v.string(), size: v.string() });

/** What messages of the market channel have in the same place (`polymarket.md` 5); undefined where it is no text. */
export const envelopeMessage = v.object({
  event_type: v.fallback(v.optional(v.string()), undefined),
  market: v.fallback(v.optional(v.string()), undefined),
  asset_id: v.fallback(v.optional(v.string()), undefined),
});

/** The whole book of one token. An absent tick comes as an empty text, or not at all. */
export const bookMessage = v.object({
  asset_id: v.string(),
  bids: v.array(level),
  asks: v.array(level),
  timestamp: wireTimestamp,
  tick_size: v.fallback(v.string(), ''),
});

const best = v.fallback(v.string(), '');

/** New totals of single levels, of one token or of both, and what is best after them. */
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

/** The step of prices changed. */
export const tickMessage = v.object({ asset_id: v.string(), new_tick_size: v.string() });

/** A market is said to be decided. */
export const resolvedMessage = v.object({ market: v.string() });
