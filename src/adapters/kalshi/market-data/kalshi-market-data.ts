import type { MarketId } from '../../../core/ids.js';
import type { Page, Slice } from '../../../core/ledger/query.js';
import { type BookView, bookOf, isCrossed } from '../../../core/market/book.js';
import type { Market, MarketQuery } from '../../../core/market/market.js';
import type { Asker, Following, MarketData, MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';
import { PacedRounds, type RoundLimits } from '../../transport/paced-rounds.js';
import { FOLLOWED } from '../../venue/market-data-client.js';
import { MarketWatch } from '../../venue/market-watch.js';
import type { RequestSigner } from '../http/api-key.js';
import { KALSHI } from '../venue-name.js';
import { KalshiMarketStream } from './kalshi-market-stream.js';
import { KalshiRest } from './kalshi-rest.js';

/** The venue's addresses, the key that the socket takes, and where errors are reported. */
export interface KalshiOptions {
  readonly api: URL;
  readonly socket: URL;
  /** The socket takes no one without a key, also for what is public. */
  readonly signer: RequestSigner;
  /** The series in which markets are looked for, such as `KXNFLGAME`. */
  readonly series: readonly string[];
  readonly clock: Clock;
  /** Called with an error that is being recovered from; never with anything that the venue sent. */
  readonly report?: (reason: string, error?: unknown) => void;
}

/** How often a followed market's metadata is read again: what time alone changes is not announced (`kalshi.md` 8.1). */
const METADATA_ROUNDS: RoundLimits = { everyMs: 30_000, mostPerSecond: 2 };

/** Kalshi's market data: metadata by REST, books and trades over its socket. Must be closed. */
export class KalshiMarketData implements MarketData {
  readonly venue = KALSHI;
  readonly #rest: KalshiRest;
  readonly #stream: KalshiMarketStream;
  readonly #rounds = new PacedRounds<MarketWatch>(METADATA_ROUNDS, (watch) => void watch.look());
  readonly #clock: Clock;
  readonly #report: NonNullable<KalshiOptions['report']>;

  constructor({ api, socket, signer, series, clock, report = () => {} }: KalshiOptions) {
    this.#rest = new KalshiRest({ api, series, clock, report });
    this.#stream = new KalshiMarketStream({
      clock,
      connection: { socket, signer, now: () => clock.now().getTime() },
      announced: (ticker) => this.#lookAgain(ticker),
      report,
    });
    this.#clock = clock;
    this.#report = report;
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

  async follow(market: Market, listener: MarketListener): Promise<Following> {
    const read = (known: Market) => this.#rest.renewed(known, { asker: FOLLOWED });
    const watch = new MarketWatch(market, listener, this.#clock, read, this.#report);
    this.#rounds.touch(watch);
    const unwatch = () => {
      watch.stop();
      this.#rounds.remove(watch);
    };
    try {
      const following = await this.#stream.follow(market, (event) => watch.hand(event));
      return {
        stop: () => {
          following.stop();
          unwatch();
        },
      };
    } catch (error) {
      unwatch();
      throw error;
    }
  }

  /** Resolves once no connection and no timer is left. */
  async close(): Promise<void> {
    for (const watch of this.#rounds.all()) {
      watch.stop();
      this.#rounds.remove(watch);
    }
    await this.#stream.close();
    await this.#rest.close();
  }

  #lookAgain(id: MarketId): void {
    for (const watch of this.#rounds.all()) if (watch.market.id === id) void watch.look();
  }
}
