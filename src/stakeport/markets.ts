import type { Slice } from '../core/ledger/query.js';
import type { Market, MarketQuery } from '../core/market/market.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  type MarketNews,
  MOST_DEPTH,
  MOST_MARKETS_AT_ONCE,
} from '../core/usecases/markets/background/market-subscriptions.js';
import type { MarketBook } from '../core/usecases/markets/read-markets.js';
import type { Venues } from '../core/venues/venues.js';
import type { Following, MarketListener } from '../ports/market-data.js';
import { marketId, type PageRequest, pageOf, refuse, shownBriefly, venueName } from './input.js';
import { warnOfListener } from './listeners.js';

/** Which markets to follow, and how. */
export interface FollowRequest {
  /** Ids, slugs or the venue's numbers; at most 100, of one venue. */
  readonly markets: readonly string[];
  readonly venue?: string;
  /** How many levels of each side a book has, to 100; by default 1, the best prices. */
  readonly depth?: number;
  /** Gets what the listener throws; by default a process warning. On a tape, playing fails with it. */
  readonly onFault?: (error: unknown) => void;
}

/** Gets what is new of markets. The next news waits for the promise that it returns. */
export type MarketNewsListener = (news: MarketNews) => unknown;

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
  /**
   * Follows several markets, at first as they are now. A listener that is busy gets the newest book of each then, and of trades, results
   * and changes of markets every one; where too many came meanwhile, a `gap`. A tape waits for it.
   * @throws InputInvalid, MarketNotFound, MarketUnusable, MarketDataUnavailable
   *
   * @example
   * ```ts
   * const following = await stakeport.markets.follow({ markets: ['rain', 'snow'], depth: 5 }, async (news) => {
   *   if (news.type === 'book') console.log(news.market.slug, news.book.asks[0]);
   * });
   * following.stop();
   * ```
   */
  follow(request: FollowRequest, listener: MarketNewsListener): Promise<Following>;
  /** Books the results of markets with holdings, and returns how many orders they settled. Call it regularly. */
  settle(): Promise<number>;
}

const QUERY = ['text', 'sport', 'league', 'kind', 'status', 'startsAfter', 'startsBefore', 'venue'];

const named = (venue: string | undefined) => (venue === undefined ? null : venueName(venue));

/** The methods that act upon markets. */
export function marketsOf({ markets }: UseCases, venues: Venues, isOnTape: boolean): Markets {
  const followOne = async (market: string, listener: MarketListener, venue?: string) =>
    venues.follow(await markets.read.one(null, named(venue), marketId(market)), listener);
  const followAll = followerOf(markets.subscriptions, isOnTape);
  return {
    find: async (market, venue) => markets.read.one(null, named(venue), marketId(market)),
    async search(request = {}) {
      const page = pageOf(request, QUERY);
      const { limit, after, venue, ...query } = request;
      return markets.read.search(null, named(venue), query, page);
    },
    book: async (market, venue) => markets.read.book(null, named(venue), marketId(market)),
    follow: (asked: string | FollowRequest, listener: MarketListener & MarketNewsListener, venue?: string) =>
      typeof asked === 'string' ? followOne(asked, listener, venue) : followAll(asked, listener),
    settle: async () => {
      const { orders, failures } = await markets.settleResults.execute();
      for (const { error } of failures) throw error;
      return orders;
    },
  };
}

/** Follows several markets; where a tape is played, its time waits for the listeners. */
function followerOf(subscriptions: UseCases['markets']['subscriptions'], isOnTape: boolean) {
  return async (request: FollowRequest, listener: MarketNewsListener): Promise<Following> => {
    const { markets, venue, depth = 1, onFault = warnOfListener } = request;
    if (markets.length === 0 || markets.length > MOST_MARKETS_AT_ONCE)
      throw refuse('markets', `must be 1 to ${MOST_MARKETS_AT_ONCE} names of markets; got ${markets.length}`);
    if (!Number.isInteger(depth) || depth < 1 || depth > MOST_DEPTH)
      throw refuse('depth', `must be a whole number from 1 to ${MOST_DEPTH}; got ${shownBriefly(depth)}`);
    const asked = { account: null, venue: named(venue), markets: markets.map(marketId), depth, after: null };
    const subscription = await subscriptions.subscribe(asked);
    let [isBusy, isOver] = [false, false];
    const hand = async (news: MarketNews) => {
      try {
        await listener(news);
      } catch (error) {
        if (isOnTape) throw error;
        onFault(error);
      }
    };
    const deliver = async () => {
      if (isBusy) return;
      isBusy = true;
      let [news] = subscription.take(1);
      for (; news !== undefined && !isOver; [news] = subscription.take(1)) await hand(news);
      isBusy = false;
    };
    const unwatch = subscriptions.watch(() => {
      const delivering = deliver();
      return isOnTape ? delivering : undefined;
    });
    const stop = () => {
      isOver = true;
      unwatch();
      subscription.end();
    };
    try {
      await subscription.begun;
    } catch (error) {
      stop();
      throw error;
    }
    await deliver();
    return { stop };
  };
}
