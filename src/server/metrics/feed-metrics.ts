import type { Metrics } from '../../adapters/http/index.js';
import { TimedMarketData } from '../../adapters/market-data/timed-market-data.js';
import { monotonic } from '../../adapters/system/system.js';
import type { MarketSource } from '../wiring/market-source.js';

const AGE = 'Time since anything was heard of the markets that are followed at a venue; absent while none is.';
const FOLLOWED = 'Markets that are followed at a venue, for strategies and for paper orders.';

/** Watches what is heard of markets, by venue. */
export class FeedMetrics {
  readonly #feeds: TimedMarketData[] = [];

  constructor(metrics: Metrics) {
    metrics.watchBy('stakeport_feed_age_seconds', AGE, ['venue'], () =>
      this.#feeds.flatMap(({ venue, silentMs }) => (silentMs === null ? [] : [[[venue], silentMs / 1000] as const])),
    );
    metrics.watchBy('stakeport_followed_markets', FOLLOWED, ['venue'], () =>
      this.#feeds.map(({ venue, followed }) => [[venue], followed] as const),
    );
  }

  /** A market source whose readings these metrics show. */
  watched(source: MarketSource): MarketSource {
    const data = new TimedMarketData(source.data, monotonic);
    this.#feeds.push(data);
    return { ...source, data };
  }
}
