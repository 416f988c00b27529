import { inBatches } from '../../../concurrency/concurrency.js';
import type { DecisionId } from '../../../ids.js';
import { type Market, marketName, type OutcomeSide, refOf } from '../../../market/market.js';
import { outcomesToJudge } from '../../../strategy/conditions/candidate.js';
import { decideBet, skipCodeOf } from '../../../strategy/decide/decide.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { AutomatedStrategies } from '../../../strategy/watch/automated-strategies.js';
import type { MarketView, WatchedMarket } from '../../../strategy/watch/watched-market.js';
import { Watcher } from '../../../strategy/watch/watcher.js';
import { bestOffer, betInputs, boundsWithoutRecord, unestimated } from '../judgement.js';
import type { RunnerParts } from './runner-parts.js';
import type { WatchedMarkets } from './watched-markets.js';

/** So many pairs of a strategy and a market are looked at in a round; the others in the next ones. */
const AT_ONCE = 5000;
/** So many outcomes are counted in an hour: what is counted is remembered so long. */
const MOST_COUNTED = 50_000;
const HOUR_MS = 3_600_000;
/** What only the book could say. */
const NO_BOOK = 'input_missing:book';
const BY_PRICE = 'odds_out_of_range';

/**
 * Counts the outcomes that the phase, the window or the odds of rules leave out, so that nobody judges them: each once an hour for a
 * reason. It runs with the search for markets, and no bet waits for it.
 */
export class CountLeftOut {
  readonly #counted = new Set<string>();
  #hour = Number.NaN;
  #next = 0;

  constructor(
    private readonly strategies: Pick<AutomatedStrategies, 'named'>,
    private readonly markets: Pick<WatchedMarkets, 'get' | 'judgedOf'>,
    private readonly parts: Pick<RunnerParts, 'skips' | 'context' | 'pause' | 'countsLeftOut' | 'proposerOf'>,
  ) {}

  /** Looks at markets that are known, followed or not. */
  async execute(known: readonly Market[]): Promise<void> {
    if (this.parts.countsLeftOut !== true) return;
    const first = this.#next < known.length ? this.#next : 0;
    let [places, looked] = [AT_ONCE, 0];
    await inBatches([...known.slice(first), ...known.slice(0, first)], this.parts.pause, async (market) => {
      if (places <= 0) return;
      const strategies = this.strategies.named(market);
      places -= strategies.length;
      looked += 1;
      this.#look(market, strategies);
    });
    this.#next = known.length === 0 ? 0 : (first + looked) % known.length;
  }

  /** Looks at a market that is about to be followed no longer, such as one whose game has begun. */
  left(watched: WatchedMarket): void {
    if (this.parts.countsLeftOut !== true) return;
    const view = { ...watched.view(), book: null, others: [] };
    for (const watcher of watched.watchers()) this.#count(watcher, view);
  }

  #look(market: Market, strategies: readonly Strategy[]): void {
    const watched = this.markets.get(market);
    const due = new Set(watched?.due());
    const view = watched === undefined ? { market, book: null, others: [] } : this.markets.judgedOf(watched).viewNow();
    for (const strategy of strategies)
      for (const outcome of outcomesToJudge(tradingRules(strategy).outcome, market)) {
        const watcher = watched?.watcher(strategy.id, outcome);
        if (watcher === undefined) this.#count(new Watcher(strategy, outcome), { ...view, book: null, others: [] });
        else if (!due.has(watcher) && !watcher.isPlacing) this.#count(watcher, view);
      }
  }

  #count(watcher: Watcher, view: MarketView): void {
    const { strategy, outcome } = watcher;
    if (this.parts.proposerOf?.(strategy) !== undefined) return;
    const at = this.parts.context.clock.now();
    const inputsOf = (seen: MarketView) => betInputs(judgementOf(watcher, seen), boundsWithoutRecord(watcher), at);
    const early = skipCodeOf(inputsOf({ ...view, book: null, others: [] }));
    // Where a signal is needed it is not asked for: that none of the prices fits is known without.
    const bySignal = watcher.rules.signal !== null;
    const isByPrice = !watcher.isDone && view.book?.fresh === true && bestOffer(view, watcher.buys) !== null;
    const code = early !== NO_BOOK ? early : bySignal ? (isByPrice ? BY_PRICE : null) : skipCodeOf(inputsOf(view));
    if (code === null || code === NO_BOOK || !this.#isNew(strategy, view.market, outcome, code, at)) return;
    const { skips, context } = this.parts;
    skips.count(strategy.account, { strategyId: strategy.id, code, at });
    if (bySignal && early === NO_BOOK) return;
    const inputs = inputsOf(early === NO_BOOK ? view : { ...view, book: null, others: [] });
    skips.addLater(strategy.account, context.ids.next() as DecisionId, strategy.id, () => decideBet(inputs));
  }

  #isNew({ id }: Strategy, market: Market, outcome: OutcomeSide, code: string, at: Date): boolean {
    const hour = at.getTime() - (at.getTime() % HOUR_MS);
    if (hour !== this.#hour) this.#counted.clear();
    this.#hour = hour;
    const name = `${id} ${code} ${outcome} ${marketName(refOf(market))}`;
    if (this.#counted.has(name) || this.#counted.size >= MOST_COUNTED) return false;
    this.#counted.add(name);
    return true;
  }
}

const judgementOf = ({ strategy, outcome, firstPrice, isArmed }: Watcher, view: MarketView) => ({
  strategy,
  view,
  outcome,
  estimates: unestimated(view),
  firstPrice,
  rearmed: isArmed,
  benched: false,
});
