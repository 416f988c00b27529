import type { StrategyId } from '../../../ids.js';
import { type MarketRef, marketName, marketNamed, refOf } from '../../../market/market.js';
import { nextExitAt, waitAfter } from '../../../strategy/exit/exit-inputs.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Venues } from '../../../venues/venues.js';
import { type HeldPart, type HeldPosition, partKey } from '../exit-orders.js';
import type { FollowedMarkets, MarketUser } from './watched-markets.js';

/** A position that a strategy may leave, and what is remembered of it between two looks. */
export interface ExitEntry {
  held: HeldPosition;
  /** Attempts in a row that were refused before they became an order. */
  refusals: number;
  lastRefusalAt: Date | null;
  /** Since when limits hold its exit back, and whether that is an alarm; null while they do not. */
  heldBack: { readonly since: Date; readonly isRaised: boolean } | null;
  /** True while it is judged: it is not judged twice at once. */
  isJudged: boolean;
  /** True once something changed while it was judged: then it is judged anew. */
  isChanged: boolean;
  /** What the next look was planned for; null before that. */
  planned: { readonly startsAt: Date | null; readonly lastRefusalAt: Date | null } | null;
  /** Calls off the next look at it that time brings. */
  callOff(): void;
}

/** The positions that strategies may leave, by market and by strategy. */
export class ExitEntries {
  readonly #byMarket = new Map<string, Map<string, ExitEntry>>();
  readonly #byStrategy = new Map<StrategyId, Set<ExitEntry>>();

  /** Each market in which something is held. */
  markets(): readonly MarketRef[] {
    return [...this.#byMarket.keys()].map(marketNamed);
  }

  in(market: MarketRef): readonly ExitEntry[] {
    return [...(this.#byMarket.get(marketName(market))?.values() ?? [])];
  }

  of(strategy: StrategyId): readonly ExitEntry[] {
    return [...(this.#byStrategy.get(strategy) ?? [])];
  }

  get(part: HeldPart): ExitEntry | undefined {
    return this.#byMarket.get(marketName(part))?.get(partName(part));
  }

  /** Takes in what is held now, and returns its entry; what was remembered of the position stays, of a new one there is `heldBack`. */
  put(held: HeldPosition, heldBack: () => ExitEntry['heldBack']): ExitEntry {
    const entries = this.#byMarket.get(marketName(held)) ?? new Map<string, ExitEntry>();
    this.#byMarket.set(marketName(held), entries);
    const known = entries.get(partName(held));
    if (known !== undefined) {
      known.held = held;
      return known;
    }
    const entry = {
      held,
      refusals: 0,
      lastRefusalAt: null,
      heldBack: heldBack(),
      isJudged: false,
      isChanged: false,
      planned: null,
      callOff: () => {},
    };
    entries.set(partName(held), entry);
    const { id } = held.strategy;
    this.#byStrategy.set(id, (this.#byStrategy.get(id) ?? new Set()).add(entry));
    return entry;
  }

  /** Forgets the position, and returns what was known of it. */
  remove(part: HeldPart): ExitEntry | undefined {
    const entries = this.#byMarket.get(marketName(part));
    const entry = entries?.get(partName(part));
    if (entry === undefined) return undefined;
    entry.callOff();
    const own = this.#byStrategy.get(part.strategy.id);
    own?.delete(entry);
    if (own?.size === 0) this.#byStrategy.delete(part.strategy.id);
    entries?.delete(partName(part));
    if (entries?.size === 0) this.#byMarket.delete(marketName(part));
    return entry;
  }
}

/** A text that is the same for the same part on record. */
export const partName = (part: HeldPart): string => JSON.stringify(partKey(part));

/** So long limits may hold an exit back before that is an alarm. */
export const HELD_BACK_MS = 60_000;

/** True while the next attempt to sell has to wait. */
export function waitsAt(entry: ExitEntry, now: Date): boolean {
  const last = lastTry(entry);
  if (last === null) return false;
  const alarm = alarmAt(entry);
  // Nobody is notified before it was tried once more.
  if (alarm !== null && last < alarm && alarm <= now.getTime()) return false;
  return now.getTime() < last + waitAfter(triesOf(entry));
}

/** When a position is checked again, whether or not its market changes; null where its next change is enough. */
export function nextLook(entry: ExitEntry, startsAt: Date | null, now: Date): Date | null {
  const { strategy, since } = entry.held;
  const byRules = nextExitAt(tradingRules(strategy).exit ?? {}, startsAt, since, now);
  const last = lastTry(entry);
  // What an attempt left may be sold by the same book.
  const again = last === null ? 0 : last + Math.max(waitAfter(triesOf(entry)), waitAfter(1));
  const moments = [byRules?.getTime() ?? 0, again, alarmAt(entry) ?? 0].filter((moment) => moment > now.getTime());
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}

/** Whether the next look is planned for this start of the game, and after the last refusal. */
export const isPlanned = ({ planned, lastRefusalAt }: ExitEntry, startsAt: Date | null): boolean =>
  planned?.startsAt?.getTime() === startsAt?.getTime() && planned?.lastRefusalAt === lastRefusalAt;

/** When an exit that is held back becomes an alarm; null where that is none, or is one already. */
const alarmAt = ({ heldBack }: ExitEntry): number | null =>
  heldBack === null || heldBack.isRaised ? null : heldBack.since.getTime() + HELD_BACK_MS;

const triesOf = ({ held, refusals }: ExitEntry): number => held.tries + refusals;

function lastTry({ held, lastRefusalAt }: ExitEntry): number | null {
  const moments = [held.lastTryAt, lastRefusalAt].flatMap((at) => (at === null ? [] : [at.getTime()]));
  return moments.length === 0 ? null : Math.max(...moments);
}

/** The markets in which something is held that may be left. */
export class ExitMarkets {
  readonly #byName = new Map<string, WatchedMarket>();
  readonly #user: MarketUser;

  constructor(
    private readonly venues: Pick<Venues, 'find'>,
    private readonly followed: FollowedMarkets,
    private readonly changed: (watched: WatchedMarket) => Promise<void>,
  ) {
    this.#user = { changed };
  }

  get size(): number {
    return this.#byName.size;
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
      this.followed.renew(known, market);
      return this.changed(known);
    }
    const watched = this.followed.use(market, this.#user);
    this.#byName.set(marketName(ref), watched);
    try {
      // Its first event is a change, and so is what is known already.
      await this.followed.follow(watched, this.#user);
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
    this.followed.leave(watched.market, this.#user);
  }

  /** Follows nothing from now on. */
  stop(): void {
    for (const watched of [...this.#byName.values()]) this.leave(refOf(watched.market));
  }
}
