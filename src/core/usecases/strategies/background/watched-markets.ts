import type { Following } from '../../../../ports/market-data.js';
import type { Timeline } from '../../../../ports/system.js';
import type { MarketDirectory } from '../../../../ports/venue.js';
import type { MarketEvent } from '../../../market/event.js';
import { type Market, type MarketRef, marketName, refOf } from '../../../market/market.js';
import { type SignalKey, type SignalName, signalKeyText } from '../../../signal/signal.js';
import type { MarketScene, WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Stage } from './judge-market.js';

interface Entry {
  readonly watched: WatchedMarket;
  following: Following | null;
  isStopped: boolean;
}

/** Called after a market changed; the feed of that market waits for the promise. */
export type OnChange = (watched: WatchedMarket, event: MarketEvent) => Promise<void> | undefined;

/** The markets that a server follows for its strategies, by name; each is followed once. */
export class WatchedMarkets {
  readonly #byName = new Map<string, Entry>();
  readonly #bySet = new Map<string, Set<WatchedMarket>>();

  constructor(
    private readonly venues: Pick<MarketDirectory, 'follow'>,
    private readonly changed: OnChange,
  ) {}

  get size(): number {
    return this.#byName.size;
  }

  all(): readonly WatchedMarket[] {
    return [...this.#byName.values()].map(({ watched }) => watched);
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
    return this.#byName.get(marketName(refOf(market)))?.watched;
  }

  /** The market and the others of its exclusive set; none where it is not followed. */
  setOf(ref: MarketRef): readonly WatchedMarket[] {
    const watched = this.#byName.get(marketName(ref))?.watched;
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

  /** Follows the market from now on, with these watchers from its first event on. @throws MarketUnusable, MarketDataUnavailable */
  async follow(watched: WatchedMarket): Promise<void> {
    const { market } = watched;
    const entry: Entry = { watched, following: null, isStopped: false };
    this.#byName.set(marketName(refOf(market)), entry);
    this.#setOf(market)?.add(watched);
    try {
      const following = await this.venues.follow(market, (event) => this.#take(entry, event));
      if (entry.isStopped) following.stop();
      else entry.following = following;
    } catch (error) {
      this.leave(market);
      throw error;
    }
  }

  /** Follows the market no longer. */
  leave(market: Market): void {
    const name = marketName(refOf(market));
    const entry = this.#byName.get(name);
    if (entry === undefined) return;
    entry.isStopped = true;
    entry.following?.stop();
    entry.watched.lose();
    this.#byName.delete(name);
    this.#setOf(market)?.delete(entry.watched);
  }

  /** The market, and how it is seen with the others of its exclusive set. */
  stageOf(watched: WatchedMarket): Stage {
    return { watched, sceneNow: () => this.#sceneOf(watched) };
  }

  #sceneOf(watched: WatchedMarket): MarketScene {
    const set = this.#setOf(watched.market) ?? NO_SET;
    return {
      ...watched.seen(),
      others: set.size < 2 ? [] : [...set].filter((one) => one !== watched).map((one) => one.seen()),
    };
  }

  #take({ watched, isStopped }: Entry, event: MarketEvent): Promise<void> | undefined {
    if (isStopped) return undefined;
    watched.apply(event);
    return event.type === 'trade' ? undefined : this.changed(watched, event);
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

interface Alarm {
  readonly at: number;
  readonly callOff: () => void;
}

/** Has a market checked when time alone may let a strategy bet, though nothing happens in the market then. */
export class MarketAlarms {
  readonly #alarms = new Map<WatchedMarket, Alarm>();

  constructor(
    private readonly timeline: Timeline | null,
    private readonly look: (watched: WatchedMarket) => Promise<void>,
  ) {}

  /** Sets the alarm of a market, or moves it, to when that is next. */
  set(watched: WatchedMarket): void {
    if (this.timeline === null) return;
    const at = watched.readyAt(this.timeline.now());
    const known = this.#alarms.get(watched);
    if (known?.at === at) return;
    this.clear(watched);
    if (at === Number.POSITIVE_INFINITY) return;
    const ring = async () => {
      this.#alarms.delete(watched);
      await this.look(watched);
      this.set(watched);
    };
    this.#alarms.set(watched, { at, callOff: this.timeline.at(new Date(at), ring) });
  }

  /** Forgets the market. */
  clear(watched: WatchedMarket): void {
    this.#alarms.get(watched)?.callOff();
    this.#alarms.delete(watched);
  }
}
