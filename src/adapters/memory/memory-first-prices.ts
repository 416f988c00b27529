import type { Page } from '../../core/ledger/query.js';
import { type MarketRef, marketName } from '../../core/market/venue.js';
import { type FirstPrice, type FirstPriceKey, firstPriceName } from '../../core/strategy/watch/first-price.js';
import type { FirstPrices } from '../../ports/first-prices.js';
import { inOrder } from './pages.js';

/** Keeps the first prices in this process. */
export class MemoryFirstPrices implements FirstPrices {
  readonly #prices = new Map<string, FirstPrice>();

  async keep(seen: readonly FirstPrice[]): Promise<readonly FirstPrice[]> {
    return seen.map((one) => {
      const name = firstPriceName(one);
      const kept = this.#prices.get(name) ?? one;
      this.#prices.set(name, kept);
      return kept;
    });
  }

  async find(keys: readonly FirstPriceKey[]): Promise<readonly FirstPrice[]> {
    return keys.map((key) => this.#prices.get(firstPriceName(key))).filter((found) => found !== undefined);
  }

  async listMarkets(before: Date, { limit, after }: Page<MarketRef>): Promise<readonly MarketRef[]> {
    const early = [...this.#prices.values()].filter(({ at }) => at < before);
    const markets = new Map(early.map(({ venue, marketId }) => [marketName({ venue, marketId }), { venue, marketId }]));
    return inOrder([...markets.values()], order, { limit, ...(after && { after: order(after) }) });
  }

  async forget({ venue, marketId }: MarketRef): Promise<number> {
    let forgotten = 0;
    for (const [name, one] of this.#prices)
      if (one.venue === venue && one.marketId === marketId && this.#prices.delete(name)) forgotten += 1;
    return forgotten;
  }
}

/** A character below all those of names separates the parts, so that texts are in the order of keys. */
const order = ({ venue, marketId }: MarketRef): string => `${venue}\n${marketId}`;
