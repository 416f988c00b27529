import type { Page } from '../core/ledger/query.js';
import type { MarketRef } from '../core/market/market.js';
import type { FirstPrice, FirstPriceKey } from '../core/strategy/watch/watcher.js';

/** Keeps the price at which a strategy first saw what it would buy. Written by itself, not by `Ledger.write`. */
export interface FirstPrices {
  /**
   * Puts on record those of which none is on record yet, and returns what is on record then, one for each, in the same order: of
   * several servers that saw different prices, all get the same. @throws StorageUnavailable
   */
  keep(prices: readonly FirstPrice[]): Promise<readonly FirstPrice[]>;
  /** Those that are on record, in no order. @throws StorageUnavailable */
  find(keys: readonly FirstPriceKey[]): Promise<readonly FirstPrice[]>;
  /** Markets with a price that was seen before this moment, by venue and id. @throws StorageUnavailable */
  listMarkets(before: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]>;
  /** Deletes all prices of a market, and returns how many. @throws StorageUnavailable */
  forget(market: MarketRef): Promise<number>;
}
