import type { MarketId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import type { Market, MarketQuery } from '../../core/market/market.js';
import type { Asker, Following, FollowPlace, MarketData, MarketListener } from '../../ports/market-data.js';
import type { Stopwatch } from '../../ports/system.js';

/** The market data of a venue, and when it was last heard of. */
export class TimedMarketData implements MarketData {
  #heardAt: number;
  #followed = 0;

  constructor(
    private readonly source: MarketData,
    private readonly stopwatch: Stopwatch,
  ) {
    this.#heardAt = stopwatch();
  }

  get venue(): MarketData['venue'] {
    return this.source.venue;
  }

  /** How many markets are being followed; one that is followed twice counts twice. */
  get followed(): number {
    return this.#followed;
  }

  /** For how many milliseconds nothing was heard of any market that is followed; null while none is. */
  get silentMs(): number | null {
    return this.#followed === 0 ? null : this.stopwatch() - this.#heardAt;
  }

  find(id: MarketId, asker?: Asker): ReturnType<MarketData['find']> {
    return this.source.find(id, asker);
  }

  search(query: MarketQuery, page: Page<string>, asker?: Asker): ReturnType<MarketData['search']> {
    return this.source.search(query, page, asker);
  }

  book(market: Market, asker?: Asker): ReturnType<MarketData['book']> {
    return this.source.book(market, asker);
  }

  /** A gap is no news: it says that something was not heard. */
  async follow(market: Market, listener: MarketListener, place?: FollowPlace): Promise<Following> {
    const heard: MarketListener = (event) => {
      if (event.type !== 'gap') this.#heardAt = this.stopwatch();
      return listener(event);
    };
    const following = await this.source.follow(market, heard, place);
    // From the first one on: what is followed by nobody is not silent.
    if (this.#followed === 0) this.#heardAt = this.stopwatch();
    this.#followed += 1;
    let isStopped = false;
    return {
      stop: () => {
        if (!isStopped) this.#followed -= 1;
        isStopped = true;
        following.stop();
      },
    };
  }
}
