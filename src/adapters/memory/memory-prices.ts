import type { Page } from '../../core/ledger/query.js';
import { type MarketRef, marketName } from '../../core/market/market.js';
import type { MinutePrices, PricePeriod } from '../../core/market/minute-prices.js';
import type { PriceHistory } from '../../ports/price-history.js';
import { newestFirst } from './filters.js';

/** Of a market that is followed for a day and changes in each minute. */
const MOST_OF_A_MARKET = 1440;
const MOST_MARKETS = 1000;

/** Keeps the newest prices of the newest markets in this process. */
export class MemoryPrices implements PriceHistory {
  readonly #markets = new Map<string, Map<number, MinutePrices>>();

  async keep(prices: readonly MinutePrices[]): Promise<void> {
    for (const one of prices) {
      const name = marketName(one);
      const own = this.#markets.get(name) ?? new Map<number, MinutePrices>();
      this.#markets.delete(name);
      this.#markets.set(name, own.set(one.at.getTime(), one));
      dropFirst(own, MOST_OF_A_MARKET);
    }
    dropFirst(this.#markets, MOST_MARKETS);
  }

  async list(market: MarketRef, { from, before }: PricePeriod, page: Page<Date>): Promise<readonly MinutePrices[]> {
    const { limit, after } = page;
    const own = [...(this.#markets.get(marketName(market))?.values() ?? [])].filter(
      ({ at }) => (from === undefined || at >= from) && (before === undefined || at < before),
    );
    return newestFirst(own, ({ at }) => at.getTime(), { limit, ...(after && { after: after.getTime() }) });
  }

  async forget(before: Date, most: number): Promise<number> {
    const old = [...this.#markets.values()].flatMap((own) =>
      [...own.values()].filter(({ at }) => at < before).map((one) => ({ own, at: one.at.getTime() })),
    );
    const oldest = old.toSorted((a, b) => a.at - b.at).slice(0, most);
    for (const { own, at } of oldest) own.delete(at);
    for (const [name, own] of this.#markets) if (own.size === 0) this.#markets.delete(name);
    return oldest.length;
  }
}

function dropFirst<Key>(map: Map<Key, unknown>, most: number): void {
  for (const [key] of map) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
