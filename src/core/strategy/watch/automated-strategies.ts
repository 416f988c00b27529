import type { AccountId, StrategyId } from '../../ids.js';
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
  readonly shared: Shared;
}

/** A strategy whose window is open for a market now, or opens soon. */
export interface Wanting {
  readonly strategy: Strategy;
  readonly isOpen: boolean;
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
    this.#strategies.set(id, { strategy, shared: this.#share(strategy.account, { match, phase }) });
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
      const strategy = this.#strategies.get(id)?.strategy;
      if (strategy === undefined) continue;
      const { window } = tradingRules(strategy);
      if (isWithin(window, market, now.getTime(), AHEAD_MS))
        wanting.push({ strategy, isOpen: isWithin(window, market, now.getTime(), 0) });
    }
    return wanting;
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

  /** Leagues, events and words are looked at here, so that strategies which differ by them share a search. */
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
