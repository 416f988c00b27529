import type { MarketId } from '../../src/core/ids.js';
import type { BookView } from '../../src/core/market/book.js';
import type { Level, MarketChange } from '../../src/core/market/event.js';
import type { Market } from '../../src/core/market/market.js';
import { answers, type MarketQuery, NO_VENUE } from '../../src/core/market/market.js';
import type { Following, MarketData, MarketListener } from '../../src/ports/market-data.js';
import type { Clock } from '../../src/ports/system.js';

/** What is shown of one market. */
interface Shown {
  market: Market;
  book: BookView | null;
  readonly listeners: Set<MarketListener>;
}

/** Many markets of one venue, whose books a program moves. */
export class MarketBoard implements MarketData {
  readonly venue = NO_VENUE;
  readonly #shown = new Map<MarketId, Shown>();

  constructor(private readonly clock: Clock) {}

  /** Lists the market, or changes what is said of it. */
  async list(market: Market): Promise<void> {
    const shown = this.#shown.get(market.id);
    if (shown === undefined) this.#shown.set(market.id, { market, book: null, listeners: new Set() });
    else {
      shown.market = market;
      await this.tell(market.id, { type: 'market', market });
    }
  }

  /** Shows a whole book, and waits until every follower has taken it in. */
  async show(id: MarketId, bids: readonly Level[], asks: readonly Level[]): Promise<void> {
    const shown = this.#shown.get(id);
    if (shown !== undefined) shown.book = { bids, asks, at: this.clock.now(), fresh: true };
    await this.tell(id, { type: 'book', bids, asks });
  }

  async tell(id: MarketId, change: MarketChange): Promise<void> {
    const event = { ...change, at: this.clock.now() };
    for (const listener of [...(this.#shown.get(id)?.listeners ?? [])]) await listener(event);
  }

  async find(id: MarketId): Promise<Market | undefined> {
    return this.#shown.get(id)?.market;
  }

  async search(query: MarketQuery) {
    const items = [...this.#shown.values()].map(({ market }) => market).filter((market) => answers(market, query));
    return { items, next: null };
  }

  async book({ id }: Market): Promise<BookView | undefined> {
    return this.#shown.get(id)?.book ?? undefined;
  }

  async follow({ id }: Market, listener: MarketListener): Promise<Following> {
    const shown = this.#shown.get(id);
    shown?.listeners.add(listener);
    const { bids, asks } = shown?.book ?? { bids: [], asks: [] };
    await listener({ type: 'book', bids, asks, at: this.clock.now() });
    return { stop: () => void shown?.listeners.delete(listener) };
  }
}
