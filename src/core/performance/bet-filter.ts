import type { MarketId, StrategyId, VenueName } from '../ids.js';
import type { BetResult, BetRow } from './bet.js';

/** Which bets of a list come first; `worst` and `best` are by the profit of bets that ended. */
export const BET_ORDERS = ['newest', 'oldest', 'worst', 'best'] as const;
/** One of them. */
export type BetOrder = (typeof BET_ORDERS)[number];

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
  /** By default the newest come first. By profit, only bets that ended are listed: that of an open one moves with its market. */
  readonly order?: BetOrder;
}

/** Where a bet stands in a list. */
export type BetPlace = Pick<BetRow, 'id' | 'profit'>;

/** Whether bets are listed by their profit. */
export const isByProfit = ({ order }: Pick<BetFilter, 'order'>): boolean => order === 'worst' || order === 'best';

/** Compares bets by the order that a list has; by their ids, which rise with time, where that is open. */
export function betOrder({ order = 'newest' }: Pick<BetFilter, 'order'>): (a: BetPlace, b: BetPlace) => number {
  const way = order === 'oldest' || order === 'worst' ? 1 : -1;
  const isBefore = (a: BetPlace, b: BetPlace) =>
    isByProfit({ order }) && a.profit !== b.profit ? a.profit < b.profit : a.id < b.id;
  return (a, b) => (isBefore(a, b) ? -way : isBefore(b, a) ? way : 0);
}

/** True of a bet that the filter lets through. An open bet is not settled. */
export function isWantedBet(bet: BetRow, filter: BetFilter): boolean {
  const { result, marketId, strategyId, paper, venue, placedAfter, placedBefore, settledAfter, settledBefore } = filter;
  if (isByProfit(filter) && bet.settledAt === null) return false;
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
