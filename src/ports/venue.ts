import type { Market } from '../core/market/market.js';
import type { MarketRef } from '../core/market/venue.js';
import type { Exchange } from './exchange.js';
import type { Asker, MarketData } from './market-data.js';
import type { Redemption } from './redemption.js';

/** A trading venue: its market data, and the exchange that executes live orders. */
export interface Venue {
  /** Its markets, and the name of the venue. */
  readonly marketData: MarketData;
  /** Null where no order can move real money. */
  readonly live: Exchange | null;
  /** True where a result pays cash at once; false where real shares are redeemed first. */
  readonly settlesInCash: boolean;
  /** Reports whether real shares were redeemed; null where nothing does. */
  readonly redemption: Redemption | null;
}

/** Finds the markets of any venue, each by its venue and id. */
export interface MarketDirectory {
  /** Undefined when the venue has no such market, or is not configured. @throws MarketUnusable, MarketDataUnavailable, TooManyLookups */
  find(market: MarketRef, asker?: Asker): Promise<Market | undefined>;
  book: MarketData['book'];
  follow: MarketData['follow'];
}
