import type { MarketId } from '../../src/core/ids.js';
import type { MarketEvent } from '../../src/core/market/event.js';
import type { Market, MarketQuery } from '../../src/core/market/market.js';
import type { Following, MarketData, MarketListener } from '../../src/ports/market-data.js';
import type { ScriptedMarket } from './scripted-market.js';

/** A scripted market that several follow at once, each served one after another; who comes later begins with the last book. */
export class SharedMarket implements MarketData {
  readonly venue;
  readonly #listeners = new Set<MarketListener>();
  #last: MarketEvent | null = null;
  #isFollowing = false;

  constructor(private readonly source: ScriptedMarket) {
    this.venue = source.venue;
  }

  get isFollowed(): boolean {
    return this.followers > 0;
  }

  /** How many follow it now. */
  get followers(): number {
    return this.#listeners.size;
  }

  find(id: MarketId): Promise<Market | undefined> {
    return this.source.find(id);
  }

  search(query: MarketQuery) {
    return this.source.search(query);
  }

  book() {
    return this.source.book();
  }

  async follow(market: Market, listener: MarketListener): Promise<Following> {
    const isFirst = !this.#isFollowing;
    this.#isFollowing = true;
    this.#listeners.add(listener);
    if (isFirst) await this.source.follow(market, (event) => this.#tell(event));
    else if (this.#last !== null) await listener(this.#last);
    return { stop: () => void this.#listeners.delete(listener) };
  }

  async #tell(event: MarketEvent): Promise<void> {
    if (event.type === 'book') this.#last = event;
    for (const listener of [...this.#listeners]) await listener(event);
  }
}
