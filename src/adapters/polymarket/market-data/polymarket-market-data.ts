import { MarketDataUnavailable } from '../../../core/errors.js';
import type { MarketId } from '../../../core/ids.js';
import type { Page, Slice } from '../../../core/ledger/query.js';
import { type BookView, isCrossed } from '../../../core/market/book.js';
import type { Market, MarketQuery } from '../../../core/market/market.js';
import type { Asker, Following, MarketData, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { RoundLimits } from '../../transport/paced-rounds.js';
import { FOLLOWED } from '../../venue/market-data-client.js';
import { MarketWatches } from '../../venue/market-watch.js';
import { POLYMARKET } from '../http/venue-name.js';
import type { BookSnapshot } from './delivered-book.js';
import { MarketStream } from './market-stream.js';
import { PolymarketRest } from './polymarket-rest.js';

/** The venue's addresses, and where errors are reported. */
export interface PolymarketOptions {
  readonly gamma: URL;
  readonly clob: URL;
  /** The base URL to which `/ws/market` is appended. */
  readonly stream: URL;
  readonly clock: Clock;
  /** Called with an error that is being recovered from; never with anything that the venue sent. */
  readonly report?: (reason: string, error?: unknown) => void;
}

/**
 * How often a followed market's metadata is read again: its start, whether it takes orders, its result. At most eight ninths of
 * the allowance of the lane of followed markets (`polymarket-rest.ts`): the rest is for those whose result the venue announces.
 */
export const METADATA_ROUNDS: RoundLimits = { everyMs: 30_000, mostPerSecond: 8 };

/**
 * Polymarket's market data: metadata by REST, books and trades over its market channel. Must be closed.
 *
 * @example
 * ```ts
 * import { PolymarketMarketData } from 'stakeport/polymarket';
 * import { systemClock } from 'stakeport/memory';
 *
 * const source = new PolymarketMarketData({
 *   gamma: new URL('https://gamma-api.polymarket.com'),
 *   clob: new URL('https://clob.polymarket.com'),
 *   stream: new URL('wss://ws-subscriptions-clob.polymarket.com'),
 *   clock: systemClock,
 * });
 * const { items } = await source.search({ text: 'arsenal' }, { limit: 10 });
 * await source.close();
 * ```
 */
export class PolymarketMarketData implements MarketData {
  readonly venue = POLYMARKET;
  readonly #rest: PolymarketRest;
  readonly #stream: MarketStream;
  readonly #watches: MarketWatches;

  constructor({ gamma, clob, stream, clock, report = () => {} }: PolymarketOptions) {
    this.#rest = new PolymarketRest({ gamma, clob, clock, report });
    this.#stream = new MarketStream({
      url: stream.href,
      clock,
      readBook: (market, signal) => this.#read(market, signal),
      onResolvedHint: (id) => this.#watches.lookAgain(id),
      report,
    });
    this.#watches = new MarketWatches({
      clock,
      rounds: METADATA_ROUNDS,
      renewed: (known) => this.#rest.renewed(known),
      follow: (market, listener) => this.#stream.follow(market, listener),
      report,
    });
  }

  find(id: MarketId, asker?: Asker): Promise<Market | undefined> {
    return this.#rest.find(id, asker);
  }

  search(query: MarketQuery, page: Page<string>, asker?: Asker): Promise<Slice<Market, string>> {
    return this.#rest.search(query, page, asker);
  }

  /** The book of a market; that of a followed market is known from its events and not read again. */
  async book(market: Market, asker?: Asker): Promise<BookView | undefined> {
    const followed = this.#stream.book(market.id);
    if (followed !== undefined) return followed;
    const token = market.outcomes?.[0].tokenId;
    const book = token === undefined ? undefined : await this.#rest.book(token, { asker });
    return book === undefined ? undefined : { bids: book.bids, asks: book.asks, at: book.at, fresh: !isCrossed(book) };
  }

  follow(market: Market, listener: MarketListener): Promise<Following> {
    return this.#watches.follow(market, listener);
  }

  /** Resolves once no connection and no timer is left. */
  async close(): Promise<void> {
    this.#watches.close();
    await this.#stream.close();
    await this.#rest.close();
  }

  async #read(market: Market, signal: AbortSignal): Promise<BookSnapshot> {
    const token = market.outcomes?.[0].tokenId;
    const book = token === undefined ? undefined : await this.#rest.book(token, { asker: FOLLOWED, signal });
    if (book === undefined) throw new MarketDataUnavailable('The venue shows no book for this market.');
    if (isCrossed(book)) throw new MarketDataUnavailable('The venue shows a crossed book for this market.');
    return book;
  }
}
