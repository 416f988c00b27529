import type { Asker } from '../../../ports/market-data.js';
import type { PriceHistory } from '../../../ports/price-history.js';
import type { Clock } from '../../../ports/system.js';
import { MarketDataUnavailable, MarketNotFound, MarketUnusable, TooManyLookups } from '../../errors.js';
import type { AccountId, MarketId, VenueName } from '../../ids.js';
import { type Page, type Slice, slice } from '../../ledger/query.js';
import type { BookView } from '../../market/book.js';
import type { MarketQuery } from '../../market/market.js';
import { isUnlisted, type Market, refOf } from '../../market/market.js';
import type { MinutePrices, PricePeriod } from '../../market/minute-prices.js';
import type { Venues } from '../../venues/venues.js';

/** A market and its book, in terms of its first outcome. */
export interface MarketBook {
  readonly market: Market;
  readonly book: BookView;
  /** The moment of the reading in the time of the market: on a tape, that of the tape. */
  readonly now: Date;
}

const NO_BOOK = 'There is no book of this market: the venue shows none, or this server has no source of books.';

/** Reads markets from a venue, by default the default one: one market, many, or the book of one. For an account, or for nobody in particular. */
export class ReadMarkets {
  constructor(
    private readonly venues: Venues,
    private readonly clock: Clock,
    private readonly prices: Pick<PriceHistory, 'list'>,
  ) {}

  /** @throws MarketNotFound; MarketUnusable; MarketDataUnavailable; TooManyLookups */
  async one(account: AccountId | null, venue: VenueName | null, id: MarketId): Promise<Market> {
    const market = await this.venues.named(venue).marketData.find(id, lookFor(account));
    if (market === undefined || isUnlisted(market)) throw new MarketNotFound(id);
    return market;
  }

  /** Those that match the whole query, in the order of the source. @throws MarketDataUnavailable, TooManyLookups */
  async search(
    account: AccountId | null,
    venue: VenueName | null,
    query: MarketQuery,
    page: Page<string>,
  ): Promise<Slice<Market, string>> {
    return this.venues.named(venue).marketData.search(query, page, lookFor(account));
  }

  /** The books of these markets, few; null where the market trades no more, or its book cannot be read now. */
  async books(account: AccountId | null, markets: readonly Market[]): Promise<readonly (BookView | null)[]> {
    const books: (BookView | null)[] = markets.map(() => null);
    const waiting = [...markets.entries()].filter(([, { status }]) => HAS_BOOK.has(status));
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [at, market] = next;
        books[at] = (await this.venues.book(market, lookFor(account)).catch(missing)) ?? null;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return books;
  }

  /** @throws MarketNotFound; MarketUnusable, also where this source has no book of it; MarketDataUnavailable; TooManyLookups */
  async book(account: AccountId | null, venue: VenueName | null, id: MarketId): Promise<MarketBook> {
    const market = await this.one(account, venue, id);
    const book = await this.venues.book(market, lookFor(account));
    if (book === undefined) throw new MarketUnusable('no_book', NO_BOOK);
    return { market, book, now: this.clock.now() };
  }

  /** What it was worth by the minute, newest first, as far as a server followed it. @throws as `one` does */
  async history(
    account: AccountId | null,
    { venue, id, ...period }: PricePeriod & { readonly venue: VenueName | null; readonly id: MarketId },
    page: Page<Date>,
  ): Promise<{ readonly market: Market; readonly prices: Slice<MinutePrices, Date> }> {
    const market = await this.one(account, venue, id);
    const prices = await slice(
      page,
      (asked) => this.prices.list(refOf(market), period, asked),
      ({ at }) => at,
    );
    return { market, prices };
  }
}

/** So many books are read at once for one list. */
const AT_ONCE = 5;

const HAS_BOOK: ReadonlySet<Market['status']> = new Set(['open', 'in_play']);

const lookFor = (account: AccountId | null): Asker => ({ account, purpose: 'look' });

/** A list says of other markets what it knows. */
function missing(error: unknown): undefined {
  if (error instanceof MarketDataUnavailable || error instanceof MarketUnusable || error instanceof TooManyLookups)
    return;
  throw error;
}
