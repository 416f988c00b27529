import type { Price } from '../money.js';
import type { MarketRef } from './market.js';

/**
 * The best prices of a market at the end of a minute, in terms of its first outcome; they hold until the next ones. Both are null where
 * the book was not known then.
 */
export interface MinutePrices extends MarketRef {
  /** The end of the minute. */
  readonly at: Date;
  readonly bid: Price | null;
  readonly ask: Price | null;
}

/** A part of the history of a market; an absent member does not restrict. */
export interface PricePeriod {
  /** At that moment or later. */
  readonly from?: Date;
  /** Strictly before. */
  readonly before?: Date;
}
