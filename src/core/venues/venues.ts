import type { Exchange } from '../../ports/exchange.js';
import type { MarketData, MarketListener } from '../../ports/market-data.js';
import type { MarketDirectory, Redemption, Venue } from '../../ports/venue.js';
import { DomainError, MarketDataUnavailable, MarketNotFound } from '../errors.js';
import type { VenueName } from '../ids.js';
import type { Market } from '../market/market.js';
import { MarketSearches, type SearchTerms, type SharedSearch } from './market-searches.js';

/** Where an order belongs: an intent, or anything that names a venue and either paper or real money. */
export interface Destination {
  readonly venue: VenueName;
  readonly paper: boolean;
}

/**
 * The markets of these sources, each by its venue and id.
 * @example
 * new BookPaperExchange({ markets: marketsAt(marketData), timeline, sink })
 */
export function marketsAt(...each: readonly MarketData[]): MarketDirectory {
  const sources = new Map(each.map((data) => [data.venue, data]));
  return {
    find: async ({ venue, marketId }, asker) => sources.get(venue)?.find(marketId, asker),
    book: async (market, asker) => sources.get(market.venue)?.book(market, asker),
    async follow(market, listener, place) {
      const source = sources.get(market.venue);
      if (source === undefined) throw new MarketDataUnavailable();
      return source.follow(market, listener, place);
    },
  };
}

/** What trades with real money at a venue. */
export interface RealMoney {
  readonly exchange: Exchange;
  /** How results become cash; null where the venue pays them in cash by itself. */
  readonly redemption: Redemption | null;
}

/**
 * A venue from its market data and what trades with real money there, null for nothing. Without a redemption its results
 * are cash at once: nothing would ever report that shares were redeemed.
 */
export function venueFrom(marketData: MarketData, live: RealMoney | null): Venue {
  const { exchange = null, redemption = null } = live ?? {};
  return { marketData, live: exchange, settlesInCash: live !== null && redemption === null, redemption };
}

/**
 * The venues of a service, by name, and the exchange in this process that simulates them all. The first is the default.
 * @example
 * new Venues(new PaperExchange(), [{ marketData, live: null, settlesInCash: true, redemption: null }])
 */
export class Venues implements MarketDirectory {
  readonly find: MarketDirectory['find'];
  readonly book: MarketDirectory['book'];
  readonly follow: MarketDirectory['follow'];
  readonly #byName: ReadonlyMap<VenueName, Venue>;
  readonly #searches: readonly MarketSearches[];
  readonly #listeners = new Set<(market: Market) => void>();

  constructor(
    readonly paper: Exchange,
    readonly all: readonly [Venue, ...Venue[]],
  ) {
    this.#byName = new Map(all.map((venue) => [venue.marketData.venue, venue]));
    this.#searches = all.map(({ marketData }) => new MarketSearches(marketData));
    const markets = marketsAt(...all.map(({ marketData }) => marketData));
    ({ find: this.find, book: this.book } = markets);
    this.follow = (market, listener, place) => {
      const hear: MarketListener = (event) => {
        for (const heard of this.#listeners) heard(market);
        return listener(event);
      };
      return markets.follow(market, hear, place);
    };
    if (this.#byName.size < all.length) throw new TypeError('Two venues have the same name.');
  }

  /** Calls `heard`, which must not throw, with each followed market of which news arrives here. */
  hear(heard: (market: Market) => void): void {
    this.#listeners.add(heard);
  }

  /** The markets of every venue that this finds; all who ask for the same share one search. @throws MarketDataUnavailable */
  async search(search: SharedSearch, terms: SearchTerms): Promise<readonly Market[]> {
    return (await Promise.all(this.#searches.map((one) => one.find(search, terms)))).flat();
  }

  /** These venues on paper only, simulated by an exchange. */
  onPaper(paper: Exchange): Venues {
    const [first, ...others] = this.all;
    const withoutMoney = (venue: Venue): Venue => ({ ...venue, live: null });
    return new Venues(paper, [withoutMoney(first), ...others.map(withoutMoney)]);
  }

  /** The venue of a request that names none. */
  get default(): Venue {
    return this.all[0];
  }

  /** Where rules bet that name no venue: at the default one; null, for everywhere, where there is no other. */
  get ofUnnamed(): VenueName | null {
    return this.all.length === 1 ? null : this.default.marketData.venue;
  }

  /** The venue of this name; the default one for null. @throws MarketNotFound when there is none */
  named(name: VenueName | null): Venue {
    const venue = name === null ? this.default : this.#byName.get(name);
    if (venue === undefined)
      throw new MarketNotFound(`${name}`, `There is no venue ${name} here. Name one of: ${this.#names()}.`);
    return venue;
  }

  /** True where some venue here trades with real money. */
  get tradeLive(): boolean {
    return this.all.some(({ live }) => live !== null);
  }

  /** True where some exchange here is reached over the network: its orders have jobs. */
  get haveRemote(): boolean {
    return [this.paper, ...this.all.map(({ live }) => live)].some((exchange) => exchange?.local === null);
  }

  /** Real shares count as not yet redeemed where it is not known how the venue pays. */
  settlesInCash(venue: VenueName): boolean {
    return this.#byName.get(venue)?.settlesInCash ?? false;
  }

  /** Reports whether real shares were redeemed; null where nothing does. */
  redemptionAt(venue: VenueName): Redemption | null {
    return this.#byName.get(venue)?.redemption ?? null;
  }

  /** The exchange for such orders; null for real money where the venue is not configured, or does not trade with it. */
  exchangeOf({ venue, paper }: Destination): Exchange | null {
    return paper ? this.paper : (this.#byName.get(venue)?.live ?? null);
  }

  /**
   * True where an exchange in this process decides such orders: all that it knows is on our record, so nothing that it
   * reports comes late. A venue over the network may report late, and anything.
   */
  isLocal(destination: Destination): boolean {
    return (this.exchangeOf(destination)?.local ?? null) !== null;
  }

  #names(): string {
    return [...this.#byName.keys()].join(', ');
  }
}

/** Trading at a venue cannot begin. The message says why and what to do, and holds no secret. */
export class VenueUnusable extends DomainError {
  constructor(
    readonly code: string,
    message: string,
    /** True when trying again later may help. */
    readonly isPassing: boolean,
  ) {
    super(message);
  }
}
