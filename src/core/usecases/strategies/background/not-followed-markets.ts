import type { DecisionId, StrategyId } from '../../../ids.js';
import type { Market } from '../../../market/market.js';
import type { BetDecision } from '../../../strategy/decide/bet-decision.js';
import type { Strategy } from '../../../strategy/strategy.js';
import type { RunnerParts } from './runner-parts.js';
import type { MarketChoice } from './wanted-markets.js';

const NOT_FOLLOWED = 'not_followed';

/** Tells of markets that strategies want, and that are not followed: each strategy gets a skip where they are more than before. */
export class NotFollowedMarkets {
  #before: ReadonlyMap<StrategyId, number> = new Map();
  #markets = 0;

  constructor(private readonly parts: Pick<RunnerParts, 'skips' | 'context' | 'onFault'>) {}

  /** How many there were at the last look. */
  get markets(): number {
    return this.#markets;
  }

  /** Takes in which markets were chosen. */
  tell({ notFollowed, marketsNotFollowed }: MarketChoice): void {
    const { skips, context, onFault } = this.parts;
    const at = context.clock.now();
    for (const { strategy, markets, first } of notFollowed) {
      const news = markets - (this.#before.get(strategy.id) ?? 0);
      if (news <= 0) continue;
      skips.count(strategy.account, { strategyId: strategy.id, code: NOT_FOLLOWED, at }, news);
      skips.add(strategy.account, context.ids.next() as DecisionId, skipFor(strategy, first, at));
    }
    if (marketsNotFollowed > this.#markets)
      onFault(`${marketsNotFollowed} markets are not followed, although strategies may bet on them`, null);
    this.#before = new Map(notFollowed.map(({ strategy, markets }) => [strategy.id, markets]));
    this.#markets = marketsNotFollowed;
  }
}

function skipFor(strategy: Strategy, { id, venue, outcomes, question, event }: Market, at: Date): BetDecision {
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
    inputs: {},
    rules: [],
    verdict: 'skip',
    code: NOT_FOLLOWED,
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
