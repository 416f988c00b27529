import type { AccountId, StrategyId, VenueName } from '../../ids.js';
import { type Market, OUTCOME_SIDES, type OutcomeSide } from '../../market/market.js';
import { outcomesToJudge } from '../conditions/candidate.js';
import { isAnyVenue } from '../rules/condition-members.js';
import { type TradingRules, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import type { WatchedMarket } from './watched-market.js';
import { type BetUrgency, type Naming, type NotWatched, WatchedPairs } from './watched-pairs.js';
import { Watcher } from './watcher.js';

/** Markets are followed this long before a window opens. */
const AHEAD_MS = 60_000;

/** What the markets of a strategy are searched by. */
export type Search = Pick<TradingRules, 'match' | 'phase'>;

/** What strategies of an account search markets by. */
export interface AccountSearch {
  readonly account: AccountId;
  readonly search: Search;
}

/** A search that strategies of an account share. */
interface Shared extends AccountSearch {
  readonly text: string;
  strategies: number;
}

interface Kept {
  readonly strategy: Strategy;
  readonly window: TradingRules['window'];
  readonly shared: Shared;
}

/** A strategy whose window is open for a market now, or opens soon. */
export interface Wanting {
  readonly strategy: Strategy;
  readonly isOpen: boolean;
}

/** Does work for one market after another, and yields to other work in between. */
export type MarketBatches = (markets: readonly Market[], work: (market: Market) => Promise<void>) => Promise<void>;

/** The strategies that trade by themselves, in the version that is in force, and what they want to watch. */
export class AutomatedStrategies {
  readonly #strategies = new Map<StrategyId, Kept>();
  readonly #versions = new Map<StrategyId, number>();
  readonly #index: StrategyIndex<StrategyId>;
  readonly #searches = new Map<string, Shared>();
  readonly #pairs: WatchedPairs;

  /**
   * @param mostWatched how many outcomes of markets the strategies of one account may watch, each counted for each strategy
   * @param isFollowedFor whether an account watches a market that is followed
   * @param defaultVenue where strategies bet whose rules name no venue; null for everywhere
   */
  constructor(
    mostWatched = Number.POSITIVE_INFINITY,
    private readonly isFollowedFor: (account: AccountId, market: Market) => boolean = () => true,
    defaultVenue: VenueName | null = null,
  ) {
    this.#index = new StrategyIndex(defaultVenue);
    this.#pairs = new WatchedPairs(mostWatched);
  }

  /** How many outcomes are watched, each counted for each strategy. */
  get pairs(): number {
    return this.#pairs.size;
  }

  /** Whether an account would watch more than it may, as of the last sharing. */
  get isCrowded(): boolean {
    return this.#pairs.isCrowded;
  }

  get size(): number {
    return this.#strategies.size;
  }

  /** Takes in a version, and returns whether it is news: not one that is known, or older. */
  take(strategy: Strategy): boolean {
    const { id, version, automation, isPaused, archivedAt } = strategy;
    if (version <= (this.#versions.get(id) ?? 0)) return false;
    this.#versions.set(id, version);
    this.#forget(id);
    if (automation === 'off' || isPaused || archivedAt !== null) return true;
    const { match, phase, window } = tradingRules(strategy);
    this.#index.put(id, match);
    this.#strategies.set(id, { strategy, window, shared: this.#share(strategy.account, { match, phase }) });
    return true;
  }

  /** What to search markets by, each once for an account. */
  searches(): readonly AccountSearch[] {
    return [...this.#searches.values()];
  }

  /** The strategies whose window is open for the market, or opens soon. */
  wanting(market: Market, now: Date): readonly Wanting[] {
    const wanting: Wanting[] = [];
    for (const id of this.#index.for(market)) {
      const kept = this.#strategies.get(id);
      if (kept === undefined) continue;
      const { strategy, window } = kept;
      if (isWithin(window, market, now.getTime(), AHEAD_MS))
        wanting.push({ strategy, isOpen: isWithin(window, market, now.getTime(), 0) });
    }
    return wanting;
  }

  /** The strategies whose rules may name the market, whatever the time. */
  named(market: Market): readonly Strategy[] {
    return [...this.#index.for(market)].flatMap((id) => this.#strategies.get(id)?.strategy ?? []);
  }

  /** Shares out what each account may watch of these markets; returns what is not watched although it may be bet on now or soon. */
  share(markets: readonly Market[], now: Date, inBatches: MarketBatches): Promise<readonly NotWatched[]> {
    const strategies = new Map<AccountId, number>();
    for (const { strategy } of this.#strategies.values())
      strategies.set(strategy.account, (strategies.get(strategy.account) ?? 0) + 1);
    const crowded = new Set(
      [...strategies].filter(([, own]) => this.#pairs.mayExceed(own, markets.length)).map(([account]) => account),
    );
    const sorted = crowded.size === 0 ? [] : [...markets].sort((a, b) => startOf(a) - startOf(b));
    return this.#pairs.share(
      sorted,
      (work) => inBatches(sorted, async (market) => work(market)),
      (market) => this.#namings(market, crowded, now.getTime()),
    );
  }

  /** Takes away those watchers of a market whose places went to others. */
  trim(watched: WatchedMarket): void {
    for (const watcher of [...watched.watchers()])
      if (!this.#isJudged(watched, watcher.strategy, watcher.outcome)) this.#remove(watched, watcher);
  }

  /** Takes away all watchers of a market that is followed no longer. */
  leave(watched: WatchedMarket): void {
    for (const watcher of [...watched.watchers()]) this.#remove(watched, watcher);
  }

  /** Brings the watchers of a market in line with the strategies, or with those that changed. */
  watch(watched: WatchedMarket, changed: Iterable<StrategyId> | null = null): void {
    if (changed === null) {
      this.watchFor(watched, () => true);
      return;
    }
    const isNamed = this.#index.namer(watched.market);
    for (const id of changed) this.#bringAll(watched, id, isNamed(id));
  }

  /** The same where only such accounts watch the market that did not before, or the other way around. */
  watchFor(watched: WatchedMarket, isOther: (account: AccountId) => boolean): void {
    const isNamed = this.#index.namer(watched.market);
    for (const { strategy, outcome } of [...watched.watchers()])
      if (!isNamed(strategy.id)) this.#bring(watched, strategy.id, outcome, false);
    for (const id of this.#index.for(watched.market)) {
      const account = this.#strategies.get(id)?.strategy.account;
      if (account === undefined || isOther(account)) this.#bringAll(watched, id, true);
    }
  }

  *#namings(market: Market, accounts: ReadonlySet<AccountId>, now: number): Generator<Naming> {
    for (const id of this.#index.for(market)) {
      const strategy = this.#strategies.get(id)?.strategy;
      if (strategy === undefined || !accounts.has(strategy.account)) continue;
      const { outcome, window } = tradingRules(strategy);
      const outcomes = outcomesToJudge(outcome, market).length;
      if (outcomes > 0) yield { strategy, urgency: urgencyOf(window, market, now), outcomes };
    }
  }

  /** The outcomes that the strategy judges, as far as its account has places for them. */
  #judged({ market }: WatchedMarket, strategy: Strategy): readonly OutcomeSide[] {
    if (!this.isFollowedFor(strategy.account, market)) return [];
    const permitted = this.#pairs.permitted(strategy, market);
    return permitted === 0 ? [] : outcomesToJudge(tradingRules(strategy).outcome, market).slice(0, permitted);
  }

  #isJudged(watched: WatchedMarket, strategy: Strategy, outcome: OutcomeSide): boolean {
    return this.#judged(watched, strategy).includes(outcome);
  }

  #bringAll(watched: WatchedMarket, id: StrategyId, isNamed: boolean): void {
    const strategy = isNamed ? this.#strategies.get(id)?.strategy : undefined;
    const judged = strategy ? this.#judged(watched, strategy) : [];
    for (const outcome of OUTCOME_SIDES) this.#bring(watched, id, outcome, judged.includes(outcome));
  }

  #bring(watched: WatchedMarket, id: StrategyId, outcome: OutcomeSide, isWanted: boolean): void {
    const known = watched.watcher(id, outcome);
    const strategy = isWanted ? this.#strategies.get(id)?.strategy : undefined;
    if (known !== undefined && known.strategy.version === strategy?.version) return;
    if (strategy === undefined) {
      if (known !== undefined) this.#remove(watched, known);
      return;
    }
    if (known !== undefined) watched.remove(known);
    else if (!this.#pairs.take(strategy.account)) return;
    known?.change(strategy);
    watched.put(known ?? new Watcher(strategy, outcome));
  }

  #remove(watched: WatchedMarket, watcher: Watcher): void {
    watched.remove(watcher);
    this.#pairs.giveBack(watcher.strategy.account);
  }

  /** The search shared by strategies that differ only by leagues, events and words, which are compared in this process. */
  #share(account: AccountId, search: Search): Shared {
    const { sport, market } = search.match;
    const text = JSON.stringify([account, sport, market, search.phase]);
    const shared = this.#searches.get(text) ?? { text, account, search, strategies: 0 };
    shared.strategies += 1;
    this.#searches.set(text, shared);
    return shared;
  }

  #forget(id: StrategyId): void {
    const shared = this.#strategies.get(id)?.shared;
    this.#strategies.delete(id);
    this.#index.remove(id);
    if (shared === undefined) return;
    shared.strategies -= 1;
    if (shared.strategies === 0) this.#searches.delete(shared.text);
  }
}

/** A market without a start comes last. */
const startOf = ({ startsAt }: Market): number => startsAt?.getTime() ?? Number.MAX_SAFE_INTEGER;

function urgencyOf(window: TradingRules['window'], market: Market, now: number): BetUrgency {
  if (isWithin(window, market, now, 0)) return 0;
  return isWithin(window, market, now, AHEAD_MS) ? 1 : 2;
}

function isWithin(
  { fromMs, toMs }: TradingRules['window'],
  { startsAt }: Market,
  now: number,
  aheadMs: number,
): boolean {
  if (startsAt === null) return fromMs === null && toMs === null;
  const sinceStart = now - startsAt.getTime();
  return (fromMs === null || sinceStart >= fromMs - aheadMs) && (toMs === null || sinceStart <= toMs);
}

type Match = TradingRules['match'];

/** What a market is found by. */
export type MatchedMarket = Pick<Market, 'venue' | 'sport' | 'league' | 'kind' | 'event'>;

const ANY = '*';

/**
 * Finds the strategies whose rules may name a market: by its event, or by its sport, league and kind together, each of
 * which a rule may leave open. Their number does not depend on that of the strategies for other markets. Whether the words
 * of `match.text` occur, and everything else, is for the decision to test.
 */
export class StrategyIndex<Strategy> {
  readonly #buckets = new Map<string, Set<Strategy>>();
  readonly #keys = new Map<Strategy, readonly string[]>();
  /** Of the strategies that bet at some venues alone. */
  readonly #venues = new Map<Strategy, readonly string[]>();

  /** @param defaultVenue where rules bet that name no venue; null for everywhere, as on a tape */
  constructor(private readonly defaultVenue: VenueName | null = null) {}

  get size(): number {
    return this.#keys.size;
  }

  /** Adds a strategy, or replaces its rules. */
  put(strategy: Strategy, match: Match): void {
    this.remove(strategy);
    const keys = keysOf(match);
    this.#keys.set(strategy, keys);
    const venue = match.venue ?? this.defaultVenue;
    if (venue !== null && !isAnyVenue(venue)) this.#venues.set(strategy, typeof venue === 'string' ? [venue] : venue);
    for (const key of keys) {
      const bucket = this.#buckets.get(key);
      if (bucket === undefined) this.#buckets.set(key, new Set([strategy]));
      else bucket.add(strategy);
    }
  }

  remove(strategy: Strategy): void {
    for (const key of this.#keys.get(strategy) ?? []) {
      const bucket = this.#buckets.get(key);
      bucket?.delete(strategy);
      if (bucket?.size === 0) this.#buckets.delete(key);
    }
    this.#keys.delete(strategy);
    this.#venues.delete(strategy);
  }

  /** Returns a predicate for whether the rules of a strategy may name the market. */
  namer(market: MatchedMarket): (strategy: Strategy) => boolean {
    const buckets = keysFor(market).flatMap((key) => this.#buckets.get(key) ?? []);
    return (strategy) => buckets.some((bucket) => bucket.has(strategy)) && this.#isAt(strategy, market);
  }

  /** Each once, in no order. */
  for(market: MatchedMarket): ReadonlySet<Strategy> {
    const buckets = keysFor(market).flatMap((key) => this.#buckets.get(key) ?? []);
    const [only, ...others] = buckets;
    if (only !== undefined && others.length === 0 && this.#venues.size === 0) return only;
    const found = new Set<Strategy>();
    for (const bucket of buckets) for (const strategy of bucket) if (this.#isAt(strategy, market)) found.add(strategy);
    return found;
  }

  #isAt(strategy: Strategy, { venue }: MatchedMarket): boolean {
    return this.#venues.get(strategy)?.includes(venue) ?? true;
  }
}

/** A rule that names events is found by them alone. */
function keysOf({ sport, league, market, events }: Match): string[] {
  if (events !== null) return [...new Set(events.map((event) => eventKey(event)))];
  const keys = listOf(league).flatMap((one) => listOf(market).map((kind) => groupKey(sport, one, kind)));
  return [...new Set(keys)];
}

function keysFor({ sport, league, kind, event }: MatchedMarket): string[] {
  const events = [event?.id, event?.slug].filter((name) => name !== null && name !== undefined).map(eventKey);
  if (sport === null) return events;
  const leagues = league === null ? [ANY] : [league, ANY];
  const kinds = kind === null ? [ANY] : [kind, ANY];
  return [...events, ...leagues.flatMap((one) => kinds.map((other) => groupKey(sport, one, other)))];
}

const listOf = (names: string | readonly string[] | null): readonly string[] =>
  names === null ? [ANY] : typeof names === 'string' ? [names] : names;

/** Names compare in any case of letters, as in a search; no text of a rule or a venue has a line break. */
const eventKey = (event: string): string => `event\n${event.toLowerCase()}`;
const groupKey = (...names: readonly string[]): string => names.join('\n').toLowerCase();
