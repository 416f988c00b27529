import type { Slice } from '../core/ledger/query.js';
import type { Market, MarketQuery } from '../core/market/market.js';
import type { UseCases } from '../core/usecases/compose.js';
import type { MarketBook } from '../core/usecases/markets/read-markets.js';
import type { Venues } from '../core/venues/venues.js';
import type { Following, MarketListener } from '../ports/market-data.js';
import { marketId, type PageRequest, pageOf, venueName } from './input.js';

/** Markets, as their venue reports them: by default the default venue. */
export interface Markets {
  /** By id, slug or the venue's number. @throws MarketNotFound, MarketUnusable, MarketDataUnavailable */
  find(market: string, venue?: string): Promise<Market>;
  /**
   * Those that match the whole query. @throws MarketDataUnavailable
   *
   * @example
   * ```ts
   * const { items } = await stakeport.markets.search({ text: 'arsenal', status: 'open' });
   * ```
   */
  search(request?: MarketQuery & PageRequest<string> & { readonly venue?: string }): Promise<Slice<Market, string>>;
  /** @throws MarketNotFound; MarketUnusable where there is no book; MarketDataUnavailable */
  book(market: string, venue?: string): Promise<MarketBook>;
  /** Hands every event of the market to the listener, the whole book first, each after the one before is done. @throws MarketNotFound */
  follow(market: string, listener: MarketListener, venue?: string): Promise<Following>;
  /** Books the results of markets with holdings, and returns how many orders they settled. Call it regularly. */
  settle(): Promise<number>;
}

const QUERY = ['text', 'sport', 'league', 'kind', 'status', 'startsAfter', 'startsBefore', 'venue'];

const named = (venue: string | undefined) => (venue === undefined ? null : venueName(venue));

/** The methods that act upon markets. */
export function marketsOf({ markets }: UseCases, venues: Venues): Markets {
  return {
    find: async (market, venue) => markets.read.one(null, named(venue), marketId(market)),
    async search(request = {}) {
      const page = pageOf(request, QUERY);
      const { limit, after, venue, ...query } = request;
      return markets.read.search(null, named(venue), query, page);
    },
    book: async (market, venue) => markets.read.book(null, named(venue), marketId(market)),
    follow: async (market, listener, venue) =>
      venues.follow(await markets.read.one(null, named(venue), marketId(market)), listener),
    settle: async () => {
      const { orders, failures } = await markets.settleResults.execute();
      for (const { error } of failures) throw error;
      return orders;
    },
  };
}
