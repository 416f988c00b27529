import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';

/** A market, and its book in terms of its first outcome; null where it is not known. */
export interface SeenMarket {
  readonly market: Market;
  readonly book: BookView | null;
}

/** A market as it is at one moment, and all other markets of its exclusive set. */
export interface MarketScene extends SeenMarket {
  readonly others: readonly SeenMarket[];
}
