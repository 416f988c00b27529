import { inBatches } from '../../../concurrency/concurrency.js';
import type { DecisionId, StrategyId } from '../../../ids.js';
import type { Market } from '../../../market/market.js';
import type { BetDecision } from '../../../strategy/decide/decide.js';
import type { SkipCode } from '../../../strategy/rules/skip-reasons.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { NotWatched } from '../../../strategy/watch/watched-pairs.js';
import type { RunnerParts } from './runner-parts.js';
import type { MarketChoice } from './wanted-markets.js';
import type { WatchedMarkets } from './watched-markets.js';

/** Gives the places of accounts that would watch more than they may to what can bet first, and reports what is left out. */
export class ShareWatching {
  readonly #leftOut: NotFollowedMarkets;
  /** Whether an account would watch more than it may, at the last choice. */
  #wasCrowded = false;

  constructor(
    private readonly strategies: AutomatedStrategies,
    private readonly markets: Pick<WatchedMarkets, 'all'>,
    private readonly parts: RunnerParts,
    /** Brings the watchers of a market in line with its strategies. */
    private readonly watch: (watched: WatchedMarket) => void,
  ) {
    this.#leftOut = new NotFollowedMarkets(parts);
  }

  /** How many markets are not followed, and how many outcomes are watched and are not, each counted for each strategy. */
  get counts(): { readonly notFollowed: number; readonly watched: number; readonly notWatched: number } {
    const { markets, outcomes } = this.#leftOut;
    return { notFollowed: markets, watched: this.strategies.pairs, notWatched: outcomes };
  }

  /** Takes in which markets were chosen; those that are not among them are left already. */
  async execute(chosen: MarketChoice): Promise<void> {
    const { pause, context } = this.parts;
    this.#leftOut.reportMarkets(chosen);
    const markets = chosen.followed.map(({ market }) => market);
    const batched = <T>(all: Iterable<T>, work: (one: T) => Promise<void>) => inBatches(all, pause, work);
    this.#leftOut.reportOutcomes(await this.strategies.share(markets, context.clock.now(), batched));
    const { isCrowded } = this.strategies;
    if (!isCrowded && !this.#wasCrowded) return;
    this.#wasCrowded = isCrowded;
    // Places are taken after those that others leave are free.
    await batched(this.markets.all(), async (watched) => this.strategies.trim(watched));
    await batched(this.markets.all(), async (watched) => this.watch(watched));
  }
}

const NOT_FOLLOWED = 'not_followed';
const NOT_WATCHED = 'not_watched';

/** What a strategy is not shown, how much of it, and an example. */
interface LeftOut {
  readonly strategy: Strategy;
  readonly count: number;
  readonly first: Market;
}

/**
 * Reports markets that strategies want, and that are not followed, and those whose outcomes a strategy does not watch: each
 * strategy gets a skip where they are more than before.
 */
class NotFollowedMarkets {
  #marketsBefore: ReadonlyMap<StrategyId, number> = new Map();
  #outcomesBefore: ReadonlyMap<StrategyId, number> = new Map();
  #markets = 0;
  #outcomes = 0;

  constructor(private readonly parts: Pick<RunnerParts, 'skips' | 'context' | 'onFault'>) {}

  /** How many markets there were at the last look. */
  get markets(): number {
    return this.#markets;
  }

  /** How many outcomes, each counted for each strategy, there were at the last look. */
  get outcomes(): number {
    return this.#outcomes;
  }

  /** Takes in which markets were chosen. */
  reportMarkets({ notFollowed, marketsNotFollowed }: MarketChoice): void {
    const left = notFollowed.map(({ strategy, markets, first }) => ({ strategy, count: markets, first }));
    this.#marketsBefore = this.#skip(NOT_FOLLOWED, left, this.#marketsBefore);
    if (marketsNotFollowed > this.#markets)
      this.parts.onFault(`${marketsNotFollowed} markets are not followed, although strategies may bet on them`, null);
    this.#markets = marketsNotFollowed;
  }

  /** Takes in what accounts have no places for. */
  reportOutcomes(notWatched: readonly NotWatched[]): void {
    const left = notWatched.map(({ strategy, outcomes, first }) => ({ strategy, count: outcomes, first }));
    this.#outcomesBefore = this.#skip(NOT_WATCHED, left, this.#outcomesBefore);
    const outcomes = left.reduce((sum, { count }) => sum + count, 0);
    const accounts = new Set(left.map(({ strategy }) => strategy.account)).size;
    if (outcomes > this.#outcomes)
      this.parts.onFault(
        `${accounts} accounts watch as much as they may: ${outcomes} more that strategies may bet on are not watched`,
        null,
      );
    this.#outcomes = outcomes;
  }

  #skip(
    code: SkipCode,
    left: readonly LeftOut[],
    before: ReadonlyMap<StrategyId, number>,
  ): ReadonlyMap<StrategyId, number> {
    const { skips, context } = this.parts;
    const at = context.clock.now();
    for (const { strategy, count, first } of left) {
      const news = count - (before.get(strategy.id) ?? 0);
      if (news <= 0) continue;
      skips.count(strategy.account, { strategyId: strategy.id, code, at }, news);
      skips.add(strategy.account, context.ids.next() as DecisionId, skipFor(code, { strategy, count, first }, at));
    }
    return new Map(left.map(({ strategy, count }) => [strategy.id, count]));
  }
}

function skipFor(code: SkipCode, { strategy, count, first }: LeftOut, at: Date): BetDecision {
  const { id, venue, outcomes, question, event } = first;
  return {
    at,
    strategyId: strategy.id,
    strategyVersion: strategy.version,
    marketId: id,
    venue,
    token: 'YES',
    outcomeLabel: outcomes?.[0].label ?? null,
    question,
    event: event?.title ?? null,
    probability: null,
    inputs: { left_out: `${count}` },
    rules: [],
    verdict: 'skip',
    code,
    price: null,
    size: null,
    shares: null,
    cost: null,
    odds: null,
    edge: null,
    boundBy: null,
    slot: null,
  };
}
