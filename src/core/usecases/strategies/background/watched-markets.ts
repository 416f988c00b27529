import type { Following } from '../../../../ports/market-data.js';
import type { Timeline } from '../../../../ports/system.js';
import { type QuotedPrices, quotedBy } from '../../../market/book.js';
import type { BookSide, MarketEvent } from '../../../market/event.js';
import {
  type Market,
  type MarketRef,
  marketName,
  type OutcomeSide,
  refOf,
  sameMarket,
} from '../../../market/market.js';
import type { KnownPrices } from '../../../order/market-at-order.js';
import { type SignalKey, type SignalName, signalKeyText } from '../../../signal/signal.js';
import { type JudgedMarket, type MarketView, WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Venues } from '../../../venues/venues.js';

/** Who uses markets that are followed. */
export interface MarketUser {
  /** Called after a market changed; the feed of that market waits for the promise. */
  changed(watched: WatchedMarket, type: MarketEvent['type']): Promise<void> | undefined;
  /** Called with each trade of a market; its feed waits for the promise. */
  traded?(watched: WatchedMarket, trade: Extract<MarketEvent, { readonly type: 'trade' }>): Promise<void> | undefined;
  /** Called after a market was read anew that is described differently now. */
  renewed?(watched: WatchedMarket): void;
}

interface Entry {
  readonly watched: WatchedMarket;
  readonly users: Set<MarketUser>;
  /** Undefined before somebody follows it. */
  following: Promise<Following> | undefined;
  /** Whether something was heard of it. */
  isKnown: boolean;
}

/** Markets that are followed, by name: each once, whoever uses it, and for as long as somebody does. */
export class FollowedMarkets implements KnownPrices {
  readonly #byName = new Map<string, Entry>();

  constructor(private readonly venues: Pick<Venues, 'follow' | 'paper'>) {}

  /** The market from now on; it is not followed yet, unless another user follows it. */
  use(market: Market, user: MarketUser): WatchedMarket {
    const name = marketName(refOf(market));
    const entry = this.#byName.get(name) ?? entryOf(market);
    entry.users.add(user);
    this.#byName.set(name, entry);
    return entry.watched;
  }

  /** Hands every change from now on to its user; what is known already is one. @throws MarketUnusable, MarketDataUnavailable */
  async follow(watched: WatchedMarket, user: MarketUser): Promise<void> {
    const entry = this.#byName.get(marketName(refOf(watched.market)));
    if (entry === undefined) return;
    const { isKnown } = entry;
    entry.following ??= this.venues.follow(watched.market, (event) => this.#take(entry, event));
    try {
      await entry.following;
    } catch (error) {
      this.leave(watched.market, user);
      throw error;
    }
    if (isKnown) await user.changed(watched, 'book');
  }

  /** By the newest book, also of a market that is followed for paper orders alone; null where it is not followed, and in a gap. */
  quoted(of: MarketRef, outcome: OutcomeSide): QuotedPrices | null {
    const watched = this.#byName.get(marketName(of))?.watched;
    if (watched?.isFresh !== true) return this.venues.paper.local?.quoted?.(of, outcome) ?? null;
    const top = (side: BookSide) => [watched.best(side) ?? []].flat();
    return quotedBy(outcome, { bids: top('bids'), asks: top('asks') });
  }

  /** Takes in how a market is described now; all its users get it where that is another one. */
  renew(watched: WatchedMarket, market: Market): void {
    if (sameMarket(watched.market, market)) return;
    watched.renew(market);
    for (const user of this.#byName.get(marketName(refOf(market)))?.users ?? []) user.renewed?.(watched);
  }

  /** Hands the user nothing more; without users the market is followed no longer. */
  leave(market: Market, user: MarketUser): void {
    const name = marketName(refOf(market));
    const entry = this.#byName.get(name);
    if (entry?.users.delete(user) !== true || entry.users.size > 0) return;
    this.#byName.delete(name);
    entry.watched.lose();
    // Whoever follows it gets the error.
    entry.following?.then(
      (following) => following.stop(),
      () => {},
    );
  }

  #take(entry: Entry, event: MarketEvent): Promise<void> | undefined {
    const { watched, users } = entry;
    if (users.size === 0) return undefined;
    entry.isKnown = true;
    watched.apply(event);
    const work = [...users].flatMap((user) =>
      event.type === 'trade' ? (user.traded?.(watched, event) ?? []) : (user.changed(watched, event.type) ?? []),
    );
    return work.length < 2 ? work[0] : Promise.all(work).then(() => {});
  }
}

const entryOf = (market: Market): Entry => ({
  watched: new WatchedMarket(market),
  users: new Set(),
  following: undefined,
  isKnown: false,
});

/** The markets that a server follows for its strategies, by name. */
export class WatchedMarkets {
  readonly #byName = new Map<string, WatchedMarket>();
  readonly #bySet = new Map<string, Set<WatchedMarket>>();

  constructor(
    private readonly markets: FollowedMarkets,
    private readonly user: MarketUser,
  ) {}

  get size(): number {
    return this.#byName.size;
  }

  all(): readonly WatchedMarket[] {
    return [...this.#byName.values()];
  }

  /** Every market, as it is described now. */
  get followed(): readonly Market[] {
    return this.all().map(({ market }) => market);
  }

  /** The markets that are followed and not among these. */
  besides(wanted: readonly Market[]): readonly Market[] {
    const names = new Set(wanted.map((market) => marketName(refOf(market))));
    return this.followed.filter((market) => !names.has(marketName(refOf(market))));
  }

  get(market: Market): WatchedMarket | undefined {
    return this.#byName.get(marketName(refOf(market)));
  }

  /** The market and the others of its exclusive set; none where it is not followed. */
  setOf(ref: MarketRef): readonly WatchedMarket[] {
    const watched = this.#byName.get(marketName(ref));
    if (watched === undefined) return [];
    return [...(this.#setOf(watched.market) ?? [watched])];
  }

  /** The signals by which strategies decide on these markets, each once. */
  signalKeys(): readonly SignalKey[] {
    const keys = new Map<string, SignalKey>();
    for (const watched of this.all())
      for (const { strategy, rules } of watched.watchers()) {
        if (rules.signal === null) continue;
        const { venue, id: marketId } = watched.market;
        const key = { account: strategy.account, name: rules.signal.name as SignalName, venue, marketId };
        keys.set(signalKeyText(key), key);
      }
    return [...keys.values()];
  }

  /** Takes up the market; it is not followed yet. */
  add(market: Market): WatchedMarket {
    const watched = this.markets.use(market, this.user);
    this.#byName.set(marketName(refOf(market)), watched);
    this.#setOf(market)?.add(watched);
    return watched;
  }

  /** Follows the market from now on, with its watchers from its first event on. @throws MarketUnusable, MarketDataUnavailable */
  async follow(watched: WatchedMarket): Promise<void> {
    try {
      await this.markets.follow(watched, this.user);
    } catch (error) {
      this.leave(watched.market);
      throw error;
    }
  }

  /** Takes in how it is described now. */
  renew(watched: WatchedMarket, market: Market): void {
    this.markets.renew(watched, market);
  }

  /** Follows the market no longer. */
  leave(market: Market): void {
    const name = marketName(refOf(market));
    const watched = this.#byName.get(name);
    if (watched === undefined) return;
    this.markets.leave(market, this.user);
    this.#byName.delete(name);
    this.#setOf(market)?.delete(watched);
  }

  /** The market, and its view with the others of its exclusive set. */
  judgedOf(watched: WatchedMarket): JudgedMarket {
    return { watched, viewNow: () => this.#viewOf(watched) };
  }

  #viewOf(watched: WatchedMarket): MarketView {
    const set = this.#setOf(watched.market) ?? NO_SET;
    return {
      ...watched.view(),
      others: set.size < 2 ? [] : [...set].filter((one) => one !== watched).map((one) => one.view()),
    };
  }

  #setOf({ venue, exclusiveSet }: Market): Set<WatchedMarket> | undefined {
    if (exclusiveSet === null) return undefined;
    const name = `${venue}/${exclusiveSet}`;
    const set = this.#bySet.get(name) ?? new Set();
    this.#bySet.set(name, set);
    return set;
  }
}

const NO_SET: ReadonlySet<WatchedMarket> = new Set();

/** The markets that are due at a moment, and what calls off as many tasks, those that were set first to begin with. */
interface DueMarkets {
  readonly markets: Set<WatchedMarket>;
  readonly callOffs: (() => void)[];
}

/** Has a market checked when time alone may let a strategy bet, though nothing happens in the market then. */
export class MarketAlarms {
  readonly #moments = new Map<WatchedMarket, number>();
  readonly #due = new Map<number, DueMarkets>();

  constructor(
    private readonly timeline: Timeline | null,
    private readonly look: (watched: WatchedMarket, at: number) => Promise<void>,
    /** Whether the markets of one moment are looked at in the order of their names, and not in that in which they were set. */
    private readonly isByName = false,
  ) {}

  /** Sets the alarm of a market, or moves it, to when that is next. */
  set(watched: WatchedMarket): void {
    if (this.timeline === null) return;
    const now = this.timeline.now();
    const [at, known] = [watched.readyAt(now), this.#moments.get(watched)];
    // What is due rings, and is set anew then.
    if (known === at || (known !== undefined && known <= now.getTime())) return;
    this.clear(watched);
    if (at === Number.POSITIVE_INFINITY) return;
    this.#moments.set(watched, at);
    const due = this.#due.get(at) ?? { markets: new Set(), callOffs: [] };
    due.markets.add(watched);
    due.callOffs.push(this.timeline.at(new Date(at), () => this.#ring(at)));
    this.#due.set(at, due);
  }

  /** Forgets the market. */
  clear(watched: WatchedMarket): void {
    this.#take(watched)?.callOffs.pop()?.();
  }

  /** Each task of a moment looks at the next market that is due then. */
  async #ring(at: number): Promise<void> {
    const markets = [...(this.#due.get(at)?.markets ?? [])];
    const [watched] = this.isByName ? markets.sort(byName) : markets;
    if (watched === undefined) return;
    this.#take(watched)?.callOffs.shift();
    await this.look(watched, at);
    this.set(watched);
  }

  #take(watched: WatchedMarket): DueMarkets | undefined {
    const at = this.#moments.get(watched);
    const due = at === undefined ? undefined : this.#due.get(at);
    this.#moments.delete(watched);
    if (at === undefined || due === undefined) return undefined;
    due.markets.delete(watched);
    if (due.markets.size === 0) this.#due.delete(at);
    return due;
  }
}

const byName = (a: WatchedMarket, b: WatchedMarket): number => (a.market.id < b.market.id ? -1 : 1);
