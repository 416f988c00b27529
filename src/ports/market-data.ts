import type { MarketId } from '../core/ids.js';
import type { Market } from '../core/market/market.js';

/** What a venue tells about its markets. */
export interface MarketData {
  /** Undefined when the venue has no such market. */
  find(id: MarketId): Promise<Market | undefined>;
}
