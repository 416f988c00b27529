import type { Metrics } from '../../adapters/http/index.js';
import { TimedMarketData } from '../../adapters/market-data/timed-market-data.js';
import { monotonic } from '../../adapters/system/system.js';
import type { MarketSource } from '../wiring/market-source.js';
import { labelledMetric } from './own-metrics.js';

/** Watches what is heard of markets, by venue. */
export class FeedMetrics {
  readonly #feeds: TimedMarketData[] = [];

  constructor(metrics: Metrics) {
    metrics.watchBy(...labelledMetric('stakeport_feed_age_seconds'), () =>
      this.#feeds.flatMap(({ venue, silentMs }) => (silentMs === null ? [] : [[[venue], silentMs / 1000] as const])),
    );
    metrics.watchBy(...labelledMetric('stakeport_followed_markets'), () =>
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
