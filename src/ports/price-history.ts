import type { Page } from '../core/ledger/query.js';
import type { MarketRef } from '../core/market/market.js';
import type { MinutePrices, PricePeriod } from '../core/market/minute-prices.js';

/** Keeps the prices of markets by the minute. Written by itself, not by `Ledger.write`; no order waits for it. */
export interface PriceHistory {
  /** The same minute of a market again replaces what was kept of it. @throws StorageUnavailable */
  keep(prices: readonly MinutePrices[]): Promise<void>;
  /** Newest first; `page.after` is a moment. @throws StorageUnavailable */
  list(market: MarketRef, period: PricePeriod, page: Page<Date>): Promise<readonly MinutePrices[]>;
  /** Deletes what is older than this moment, at most so many, the oldest first, and returns how many. @throws StorageUnavailable */
  forget(before: Date, most: number): Promise<number>;
}
