import type { PriceHistory } from '../../../../ports/price-history.js';
import type { Clock, Pause } from '../../../../ports/system.js';
import type { MarketDirectory } from '../../../../ports/venue.js';
import { lastFullInterval } from '../../../account/portfolio.js';
import { DomainError } from '../../../errors.js';
import { bestPrices } from '../../../market/book.js';
import { type Market, marketName, refOf } from '../../../market/market.js';
import type { MinutePrices } from '../../../market/minute-prices.js';
import type { Venues } from '../../../venues/venues.js';

/** How often prices are put on record. */
export const PRICES_EVERY_MS = 60_000;
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;
/** So many markets in a minute, at most: those of which there was news first. */
const MOST_MARKETS = 2000;
/** Prices that were recorded last are remembered of so many markets. */
const MOST_REMEMBERED = 10_000;
/** What is forgotten in a minute, besides as much as was recorded: so it keeps up, and no write waits long. */
const FORGOTTEN_AT_ONCE = 500;
const PAUSE_EVERY = 50;

/**
 * Records the best prices of markets that this server follows, once a minute, where they are other ones than before; forgets them after
 * 90 days. What comes of a market notes that there was news, and waits for nothing.
 */
export class RecordPrices {
  readonly #last = new Map<string, string>();
  #news: Set<Market> | null = null;

  constructor(
    private readonly history: Pick<PriceHistory, 'keep' | 'forget'>,
    private readonly venues: Pick<Venues, 'hear'> & Pick<MarketDirectory, 'book'>,
    private readonly clock: Clock,
    private readonly pause: Pause = async () => {},
  ) {}

  /** Records the minute that has ended, and returns of how many markets; the first call only begins to listen. @throws StorageUnavailable */
  async execute(): Promise<number> {
    if (this.#news === null) {
      const news = new Set<Market>();
      this.#news = news;
      this.venues.hear((market) => news.add(market));
      return 0;
    }
    const at = lastFullInterval(this.clock.now(), PRICES_EVERY_MS);
    const changed = await this.#changed(this.#taken(this.#news), at);
    await this.history.keep(changed);
    for (const one of changed) this.#remember(one);
    await this.history.forget(new Date(at.getTime() - KEPT_MS), changed.length + FORGOTTEN_AT_ONCE);
    return changed.length;
  }

  #taken(news: Set<Market>): readonly Market[] {
    const byName = new Map<string, Market>();
    for (const market of news) if (byName.size < MOST_MARKETS) byName.set(marketName(refOf(market)), market);
    news.clear();
    return [...byName.values()];
  }

  async #changed(markets: readonly Market[], at: Date): Promise<readonly MinutePrices[]> {
    const changed: MinutePrices[] = [];
    for (const [n, market] of markets.entries()) {
      if (n % PAUSE_EVERY === PAUSE_EVERY - 1) await this.pause();
      const prices = await this.#pricesOf(market, at);
      if (prices !== null && this.#last.get(marketName(prices)) !== textOf(prices)) changed.push(prices);
    }
    return changed;
  }

  /** Null where the market does not answer now. */
  async #pricesOf(market: Market, at: Date): Promise<MinutePrices | null> {
    try {
      const book = await this.venues.book(market, { account: null, purpose: 'look' });
      if (book === undefined) return null;
      const { bid = null, ask = null } = book.fresh ? bestPrices('YES', book) : {};
      return { ...refOf(market), at, bid, ask };
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  #remember(prices: MinutePrices): void {
    this.#last.delete(marketName(prices));
    this.#last.set(marketName(prices), textOf(prices));
    for (const [name] of this.#last) {
      if (this.#last.size <= MOST_REMEMBERED) return;
      this.#last.delete(name);
    }
  }
}

const textOf = ({ bid, ask }: MinutePrices): string => `${bid} ${ask}`;
