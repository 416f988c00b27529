import { refOf } from '../../../market/market.js';
import { type MarketRef, marketName } from '../../../market/venue.js';
import { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Venues } from '../../../venues/venues.js';
import { WatchedMarkets } from './watched-markets.js';

/** The markets in which something is held that may be left. */
export class ExitMarkets {
  readonly #byName = new Map<string, WatchedMarket>();
  readonly #markets: WatchedMarkets;

  constructor(
    private readonly venues: Venues,
    private readonly changed: (watched: WatchedMarket) => Promise<void>,
  ) {
    this.#markets = new WatchedMarkets(venues, (watched) => changed(watched));
  }

  get size(): number {
    return this.#markets.size;
  }

  get(ref: MarketRef): WatchedMarket | undefined {
    return this.#byName.get(marketName(ref));
  }

  /** Follows the market, or takes in its metadata anew; either way it counts as changed. @throws MarketDataUnavailable */
  async refresh(ref: MarketRef): Promise<void> {
    const market = await this.venues.find(ref);
    if (market === undefined) return;
    const known = this.get(ref);
    if (known !== undefined) {
      known.renew(market);
      return this.changed(known);
    }
    const watched = new WatchedMarket(market);
    this.#byName.set(marketName(ref), watched);
    try {
      // Its first event is a change.
      await this.#markets.follow(watched);
    } catch (error) {
      this.#byName.delete(marketName(ref));
      throw error;
    }
  }

  /** Follows the market no longer. */
  leave(ref: MarketRef): void {
    const watched = this.get(ref);
    if (watched === undefined) return;
    this.#byName.delete(marketName(ref));
    this.#markets.leave(watched.market);
  }

  /** Follows nothing from now on. */
  stop(): void {
    for (const watched of [...this.#byName.values()]) this.leave(refOf(watched.market));
  }
}
