import type { StrategyId } from '../../ids.js';
import { type Market, OUTCOME_SIDES } from '../../market/market.js';
import { outcomesToJudge } from '../conditions/choose-outcome.js';
import { type TradingRules, tradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import { StrategyIndex } from './strategy-index.js';
import type { WatchedMarket } from './watched-market.js';
import { Watcher } from './watcher.js';

/** Markets are followed this long before a window opens. */
const AHEAD_MS = 60_000;

/** What the markets of a strategy are searched by. */
export type Search = Pick<TradingRules, 'match' | 'phase'>;

/** A search that strategies share. */
interface Shared {
  readonly text: string;
  readonly search: Search;
  strategies: number;
}

interface Kept {
  readonly strategy: Strategy;
  readonly shared: Shared;
}

/** The strategies that trade by themselves, in the version that is in force, and what they want to watch. */
export class AutomatedStrategies {
  readonly #strategies = new Map<StrategyId, Kept>();
  readonly #versions = new Map<StrategyId, number>();
  readonly #index = new StrategyIndex<StrategyId>();
  readonly #searches = new Map<string, Shared>();

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
    const { match, phase } = tradingRules(strategy);
    this.#index.put(id, match);
    this.#strategies.set(id, { strategy, shared: this.#share({ match, phase }) });
    return true;
  }

  /** What to search markets by, each once. */
  searches(): readonly Search[] {
    return [...this.#searches.values()].map(({ search }) => search);
  }

  /** Whether the window of some strategy is open for the market, or opens soon. */
  mayBetSoon(market: Market, now: Date): boolean {
    for (const id of this.#index.for(market)) {
      const kept = this.#strategies.get(id);
      if (kept !== undefined && isSoon(tradingRules(kept.strategy).window, market, now.getTime())) return true;
    }
    return false;
  }

  /** Brings the watchers of a market in line with the strategies, or with those that changed. */
  watch(watched: WatchedMarket, changed: Iterable<StrategyId> | null = null): void {
    const isNamed = this.#index.namer(watched.market);
    if (changed === null)
      for (const { strategy, outcome } of [...watched.watchers()])
        if (!isNamed(strategy.id)) this.#bring(watched, strategy.id, outcome, false);
    for (const id of changed ?? this.#index.for(watched.market)) {
      const strategy = isNamed(id) ? this.#strategies.get(id)?.strategy : undefined;
      const judged = strategy ? outcomesToJudge(tradingRules(strategy).outcome, watched.market) : [];
      for (const outcome of OUTCOME_SIDES) this.#bring(watched, id, outcome, judged.includes(outcome));
    }
  }

  #bring(watched: WatchedMarket, id: StrategyId, outcome: Watcher['outcome'], isWanted: boolean): void {
    const known = watched.watcher(id, outcome);
    const strategy = isWanted ? this.#strategies.get(id)?.strategy : undefined;
    if (known !== undefined && known.strategy.version === strategy?.version) return;
    if (known !== undefined) watched.remove(known);
    if (strategy === undefined) return;
    known?.change(strategy);
    watched.put(known ?? new Watcher(strategy, outcome));
  }

  #share(search: Search): Shared {
    const { sport, league, market, events, text } = search.match;
    const name = JSON.stringify([sport, league, market, events, text, search.phase]);
    const shared = this.#searches.get(name) ?? { text: name, search, strategies: 0 };
    shared.strategies += 1;
    this.#searches.set(name, shared);
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

function isSoon({ fromMs, toMs }: TradingRules['window'], { startsAt }: Market, now: number): boolean {
  if (startsAt === null) return fromMs === null && toMs === null;
  const sinceStart = now - startsAt.getTime();
  return (fromMs === null || sinceStart >= fromMs - AHEAD_MS) && (toMs === null || sinceStart <= toMs);
}
