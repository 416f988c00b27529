import type { Market, MarketRef, OutcomeSide } from '../core/market/market.js';
import type { Exchange } from './exchange.js';
import type { Asker, MarketData } from './market-data.js';

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
  /** Undefined when the venue has no such market, or is not configured; for a result perhaps also while it is open. @throws MarketUnusable, MarketDataUnavailable, TooManyLookups */
  find(market: MarketRef, asker?: Asker): Promise<Market | undefined>;
  book: MarketData['book'];
  follow: MarketData['follow'];
}

/** How shares that a result paid for become cash where they are kept. Nothing here sends a transaction. */
export interface Redemption {
  /** What a person must do to redeem the wallet's shares in the market, in sentences. */
  instructions(market: Market): readonly string[];
  /**
   * True once the wallet holds no share of the outcome any more, false while it holds some; null where that is not known.
   * Called only for shares that are known to have been there.
   */
  isRedeemed(market: Market, outcome: OutcomeSide): Promise<boolean | null>;
}
