import type { MarketId, StrategyId, VenueName } from '../ids.js';
import type { BetResult, BetRow } from './bet.js';

/** Which bets to list; an absent member does not restrict. */
export interface BetFilter {
  readonly result?: BetResult;
  readonly marketId?: MarketId;
  readonly strategyId?: StrategyId;
  readonly paper?: boolean;
  readonly venue?: VenueName;
  /** First filled strictly after. */
  readonly placedAfter?: Date;
  /** First filled strictly before. */
  readonly placedBefore?: Date;
  /** Settled at that moment or later. */
  readonly settledAfter?: Date;
  /** Settled strictly before. */
  readonly settledBefore?: Date;
  /** Lists the oldest first, in place of the newest. */
  readonly oldestFirst?: true;
}

/** True of a bet that the filter lets through. An open bet is not settled. */
export function isWantedBet(bet: BetRow, filter: BetFilter): boolean {
  const { result, marketId, strategyId, paper, venue, placedAfter, placedBefore, settledAfter, settledBefore } = filter;
  return (
    (result === undefined || bet.result === result) &&
    (marketId === undefined || bet.marketId === marketId) &&
    (strategyId === undefined || bet.strategy?.id === strategyId) &&
    (paper === undefined || bet.paper === paper) &&
    (venue === undefined || bet.venue === venue) &&
    (placedAfter === undefined || bet.firstFillAt > placedAfter) &&
    (placedBefore === undefined || bet.firstFillAt < placedBefore) &&
    (settledAfter === undefined || (bet.settledAt !== null && bet.settledAt >= settledAfter)) &&
    (settledBefore === undefined || (bet.settledAt !== null && bet.settledAt < settledBefore))
  );
}
