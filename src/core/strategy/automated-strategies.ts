import type { StrategyId } from '../ids.js';
import type { Market } from '../market/market.js';
import { outcomesToJudge } from './choose-outcome.js';
import type { Strategy } from './strategy.js';
import { StrategyIndex } from './strategy-index.js';
import { type TradingRules, tradingRules } from './trading-rules.js';
import type { WatchedMarket } from './watched-market.js';
import { Watcher } from './watcher.js';

/** Markets are followed this long before a window opens. */
const AHEAD_MS = 60_000;

/** What the markets of a strategy are searched by. */
export type Search = Pick<TradingRules, 'match' | 'phase'>;

/** The strategies that trade by themselves, in the version that is in force, and what they want to watch. */
export class AutomatedStrategies {
  readonly #strategies = new Map<StrategyId, Strategy>();
  readonly #versions = new Map<StrategyId, number>();
  readonly #index = new StrategyIndex<StrategyId>();

  get size(): number {
    return this.#strategies.size;
  }

  /** Takes in a version, and returns whether it is news: not one that is known, or older. */
  take(strategy: Strategy): boolean {
    const { id, version, automation, isPaused, archivedAt } = strategy;
    if (version <= (this.#versions.get(id) ?? 0)) return false;
    this.#versions.set(id, version);
    if (automation !== 'off' && !isPaused && archivedAt === null) {
      this.#strategies.set(id, strategy);
      this.#index.put(id, tradingRules(strategy).match);
    } else {
      this.#strategies.delete(id);
      this.#index.remove(id);
    }
    return true;
  }

  /** What to search markets by, each once. */
  searches(): readonly Search[] {
    const different = new Map<string, Search>();
    for (const strategy of this.#strategies.values()) {
      const { match, phase } = tradingRules(strategy);
      const { sport, league, market, events, text } = match;
      different.set(JSON.stringify([sport, league, market, events, text, phase]), { match, phase });
    }
    return [...different.values()];
  }

  /** Whether the window of some strategy is open for the market, or opens soon. */
  mayBetSoon(market: Market, now: Date): boolean {
    return [...this.#index.for(market)].some((id) => {
      const strategy = this.#strategies.get(id);
      return strategy !== undefined && isSoon(tradingRules(strategy).window, market, now.getTime());
    });
  }

  /** Brings the watchers of a market in line with the strategies. */
  watch(watched: WatchedMarket): void {
    const known = new Map([...watched.watchers].map((watcher) => [nameOf(watcher), watcher]));
    for (const id of this.#index.for(watched.market)) {
      const strategy = this.#strategies.get(id);
      if (strategy === undefined) continue;
      for (const outcome of outcomesToJudge(tradingRules(strategy).outcome, watched.market)) {
        const name = nameOf({ strategy, outcome });
        put(watched, known.get(name), strategy, outcome);
        known.delete(name);
      }
    }
    for (const watcher of known.values()) watched.remove(watcher);
  }
}

function put(
  watched: WatchedMarket,
  known: Watcher | undefined,
  strategy: Strategy,
  outcome: Watcher['outcome'],
): void {
  if (known?.strategy.version === strategy.version) return;
  if (known !== undefined) watched.remove(known);
  known?.change(strategy);
  watched.put(known ?? new Watcher(strategy, outcome));
}

function isSoon({ fromMs, toMs }: TradingRules['window'], { startsAt }: Market, now: number): boolean {
  if (startsAt === null) return fromMs === null && toMs === null;
  const sinceStart = now - startsAt.getTime();
  return (fromMs === null || sinceStart >= fromMs - AHEAD_MS) && (toMs === null || sinceStart <= toMs);
}

const nameOf = ({ strategy, outcome }: Pick<Watcher, 'strategy' | 'outcome'>): string => `${strategy.id} ${outcome}`;
