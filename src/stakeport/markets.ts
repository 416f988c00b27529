import type { Slice } from '../core/ledger/query.js';
import type { Market } from '../core/market/market.js';
import type { MarketQuery } from '../core/market/query.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { MarketBook } from '../core/usecases/markets/read-markets.js';
import type { Following, MarketData, MarketListener } from '../ports/market-data.js';
import { marketId, type PageRequest, pageOf } from './input.js';

/** Markets, as their source tells them. */
export interface Markets {
  /** By id, slug or the venue's number. @throws MarketNotFound, MarketUnusable, MarketDataUnavailable */
  find(market: string): Promise<Market>;
  /**
   * Those that match all that is asked. @throws MarketDataUnavailable
   *
   * @example
   * ```ts
   * const { items } = await stakeport.markets.search({ text: 'arsenal', status: 'open' });
   * ```
   */
  search(request?: MarketQuery & PageRequest<string>): Promise<Slice<Market, string>>;
  /** @throws MarketNotFound; MarketUnusable where there is no book; MarketDataUnavailable */
  book(market: string): Promise<MarketBook>;
  /** Hands every event of the market to the listener, the whole book first, each after the one before is done. @throws MarketNotFound */
  follow(market: string, listener: MarketListener): Promise<Following>;
  /** Books the results of markets in which something is held, and tells how many orders they settled. To be called again and again. */
  settle(): Promise<number>;
}

/** The methods that act upon markets. */
export function marketsOf({ markets }: UseCases, source: MarketData): Markets {
  return {
    find: async (market) => markets.read.one(marketId(market)),
    async search(request = {}) {
      const { limit, after, ...query } = request;
      return markets.read.search(query, pageOf(request));
    },
    book: async (market) => markets.read.book(marketId(market)),
    follow: async (market, listener) => source.follow(await markets.read.one(marketId(market)), listener),
    settle: () => markets.settleResults.execute(),
  };
}
