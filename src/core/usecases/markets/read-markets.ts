import type { MarketData } from '../../../ports/market-data.js';
import { MarketNotFound, MarketUnusable } from '../../errors.js';
import type { MarketId } from '../../ids.js';
import type { Page, Slice } from '../../ledger/query.js';
import type { BookView } from '../../market/book.js';
import type { Market } from '../../market/market.js';
import type { MarketQuery } from '../../market/query.js';

/** A market and its book, in terms of its first outcome. */
export interface MarketBook {
  readonly market: Market;
  readonly book: BookView;
}

const NO_BOOK = 'There is no book of this market: the exchange shows none, or this server has no source of books.';

/** Reads what the source of market data tells: one market, many, or the book of one. */
export class ReadMarkets {
  constructor(private readonly markets: Pick<MarketData, 'find' | 'search' | 'book'>) {}

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

  /** @throws MarketNotFound; MarketUnusable, also where this source has no book of it; MarketDataUnavailable */
  async book(id: MarketId): Promise<MarketBook> {
    const market = await this.one(id);
    const book = await this.markets.book(market);
    if (book === undefined) throw new MarketUnusable('no_book', NO_BOOK);
    return { market, book };
  }
}
