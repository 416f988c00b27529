import type { QuotedPrices } from '../market/book.js';
import type { Market, MarketEventRef, MarketRef, OutcomeSide } from '../market/market.js';
import type { Price } from '../money.js';

/** What was known of the market and its prices when an order was decided, for the bets that it makes. */
export interface MarketAtOrder {
  readonly event: MarketEventRef | null;
  readonly sport: string | null;
  readonly league: string | null;
  readonly kind: Market['kind'];
  readonly line: string | null;
  readonly startsAt: Date | null;
  /** LAY where a strategy bets against the outcome that it judged. */
  readonly side: 'BACK' | 'LAY';
  /** Of the outcome that is bought, as the strategy stated it; null where none was. */
  readonly probability: Price | null;
  /** The prices of the outcome by which it was decided; null where no book was known. */
  readonly quoted: QuotedPrices | null;
}

/** The prices of outcomes by books that are here already: no venue is asked for them. */
export interface KnownPrices {
  /** Null where the book of the market is not known now. */
  quoted(of: MarketRef, outcome: OutcomeSide): QuotedPrices | null;
}

/** What a bet was decided by, where it is not known from the market. */
export type BoughtFor = Pick<MarketAtOrder, 'side' | 'probability' | 'quoted'>;
