import type { MarketId, VenueName } from '../../../core/ids.js';
import type { Page, Slice } from '../../../core/ledger/query.js';
import { type BookView, bookOf, isCrossed } from '../../../core/market/book.js';
import type { Market, MarketQuery } from '../../../core/market/market.js';
import type { Asker, Following, MarketData, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import type { RoundLimits } from '../../transport/paced-rounds.js';
import { FOLLOWED } from '../../venue/market-data-client.js';
import { MarketWatches } from '../../venue/market-watch.js';
import type { RequestSigner } from '../http/api-key.js';
import { type KalshiEnvironment, kalshiVenue } from '../venue-name.js';
import { KalshiMarketStream } from './kalshi-market-stream.js';
import { KalshiRest, type KalshiRestOptions } from './kalshi-rest.js';

/** The venue's addresses, the key that the socket takes, and where errors are reported. */
export interface KalshiOptions {
  readonly api: URL;
  readonly socket: URL;
  readonly environment: KalshiEnvironment;
  /** The socket takes no one without a key, also for what is public. */
  readonly signer: RequestSigner;
  /** The series in which markets are looked for, such as `KXNFLGAME`. */
  readonly series: readonly string[];
  readonly clock: Clock;
  /** What the venue allows for market data; the lowest tier by default. */
  readonly allowances?: KalshiRestOptions['allowances'];
  /** Called with an error that is being recovered from; never with anything that the venue sent. */
  readonly report?: (reason: string, error?: unknown) => void;
}

/**
 * How often a followed market's metadata is read again: what time alone changes is not announced (`kalshi.md` 8.1). Those of one second are
 * read together.
 */
const METADATA_ROUNDS: RoundLimits = { everyMs: 30_000, mostPerSecond: 50 };

/** Kalshi's market data: metadata by REST, books and trades over its socket. Must be closed. */
export class KalshiMarketData implements MarketData {
  readonly venue: VenueName;
  readonly #rest: KalshiRest;
  readonly #stream: KalshiMarketStream;
  readonly #watches: MarketWatches;
  readonly #clock: Clock;

  constructor({ api, socket, environment, signer, series, clock, allowances, report = () => {} }: KalshiOptions) {
    this.venue = kalshiVenue(environment);
    this.#rest = new KalshiRest({ api, venue: this.venue, series, clock, allowances, report });
    this.#stream = new KalshiMarketStream({
      clock,
      connection: { socket, signer, now: () => clock.now().getTime() },
      announced: (ticker) => this.#watches.lookAgain(ticker),
      known: (ticker) => this.#rest.young(ticker),
      report,
    });
    this.#clock = clock;
    this.#watches = new MarketWatches({
      clock,
      rounds: METADATA_ROUNDS,
      renewed: (known) => this.#rest.renewed(known, { asker: FOLLOWED }),
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

  /** The book of a market; that of a followed market is known from its messages and not read again. */
  async book(market: Market, asker?: Asker): Promise<BookView | undefined> {
    const followed = this.#stream.book(market.id);
    if (followed !== undefined) return followed;
    const sides = await this.#rest.book(market, { asker });
    if (sides === undefined) return undefined;
    const book = bookOf(sides);
    return { bids: book.side('bids'), asks: book.side('asks'), at: this.#clock.now(), fresh: !isCrossed(sides) };
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
}
