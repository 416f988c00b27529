import type { MarketData } from '../../ports/market-data.js';
import { MarketDataUnavailable, MarketNotFound } from '../errors.js';
import type { MarketId } from '../ids.js';
import type { Page, Slice } from '../ledger/query.js';
import type { BookView } from '../market/book.js';
import type { Market } from '../market/market.js';
import type { MarketQuery } from '../market/query.js';

/** A market and its book, in terms of its first outcome. */
export interface MarketBook {
  readonly market: Market;
  readonly book: BookView;
}

/** Reads what the source of market data tells: one market, many, or the book of one. */
export class ReadMarkets {
  constructor(private readonly markets: MarketData) {}

  /** @throws MarketNotFound; MarketUnusable; MarketDataUnavailable */
  async one(id: MarketId): Promise<Market> {
    const market = await this.markets.find(id);
    if (market === undefined) throw new MarketNotFound(id);
    return market;
  }

  /** Those that match all that is asked, in the order of the source. @throws MarketDataUnavailable */
  search(query: MarketQuery, page: Page<string>): Promise<Slice<Market, string>> {
    return this.markets.search(query, page);
  }

  /** @throws MarketNotFound; MarketUnusable; MarketDataUnavailable, also where this source has no book of it */
  async book(id: MarketId): Promise<MarketBook> {
    const market = await this.one(id);
    const book = await this.markets.book(market);
    if (book === undefined) throw new MarketDataUnavailable('No book of this market is known now.');
    return { market, book };
  }
}
