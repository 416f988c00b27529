import type { AccountId, MarketId, VenueName } from '../core/ids.js';
import type { Page, Slice } from '../core/ledger/query.js';
import type { BookView } from '../core/market/book.js';
import type { MarketEvent } from '../core/market/event.js';
import type { Market, MarketQuery } from '../core/market/market.js';

/**
 * For whom a source is asked. What a venue allows is shared out by this. The service itself names nobody where it has to know:
 * for exits, and the markets that it follows.
 */
export interface Asker {
  /** Null where it is for several accounts. */
  readonly account: AccountId | null;
  /**
   * `look` for reads of clients, searches and dry runs, `result` for results: neither uses what is kept for orders. A caller that
   * asks for a result asks for many markets at once, and needs none that is still open.
   */
  readonly purpose: 'order' | 'look' | 'result';
}

/** The market data of one venue. */
export interface MarketData {
  /** The venue of every market that it finds. */
  readonly venue: VenueName;
  /**
   * By the venue's id, or another name that the venue has for the market. Undefined when the venue has no such market; for a result
   * perhaps also while it is open.
   * @throws MarketUnusable for a market whose outcomes cannot be distinguished with certainty; MarketDataUnavailable;
   * TooManyLookups
   */
  find(id: MarketId, asker?: Asker): Promise<Market | undefined>;
  /** Markets that match the whole query; those that cannot be used are left out. @throws MarketDataUnavailable, TooManyLookups */
  search(query: MarketQuery, page: Page<string>, asker?: Asker): Promise<Slice<Market, string>>;
  /** The book as it is now; undefined where this source has no books. @throws MarketDataUnavailable, TooManyLookups */
  book(market: Market, asker?: Asker): Promise<BookView | undefined>;
  /**
   * Hands every event of the market to `listener`, one after another: the next one waits for the promise of the one before.
   * Begins with the whole book. Resolves once that was handed over, or, when a first attempt failed, a `gap`. Where listeners of one
   * market wait for each other, as on a tape, what matches orders comes `first`, whenever it began.
   */
  follow(market: Market, listener: MarketListener, place?: FollowPlace): Promise<Following>;
}

/** Where a listener comes among those of its market; by default after those that are there. */
export type FollowPlace = 'first' | 'last';

/** Takes the events of one market. */
export type MarketListener = (event: MarketEvent) => void | Promise<void>;

/** A market that is being followed. */
export interface Following {
  /** No event is handed over after this. */
  stop(): void;
}
