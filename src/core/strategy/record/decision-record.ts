import type { AccountId, ApprovalId, DecisionId, MarketId, OrderId, StrategyId, VenueName } from '../../ids.js';
import type { OutcomeSide } from '../../market/market.js';
import type { BetDecision, DecisionSubject } from '../decide/decide.js';
import type { ExitOrdered } from '../exit/exit-record.js';

/** What a decision has on record: the order that it placed, and the approval that it waits for or came from. */
export interface OnRecord {
  readonly id: DecisionId;
  readonly account: AccountId;
  readonly orderId: OrderId | null;
  readonly approvalId: ApprovalId | null;
}

/** A decision about a bet, on record. */
export type BetRecord = BetDecision & OnRecord;

/** A decision on record: about a bet, or about a sale by the rules of `exit`. */
export type DecisionRecord = BetRecord | (DecisionSubject & ExitOrdered & OnRecord);

/**
 * A bet that a strategy made on an outcome: the n-th one, from 1. There is no second record of the same slot, whichever
 * server and whichever version of the strategy decided.
 */
export interface Slot {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly venue: VenueName;
  readonly marketId: MarketId;
  /** What was bought. */
  readonly outcome: OutcomeSide;
  readonly n: number;
  /** How often the paper money of the account had begun anew by then; -1 for a bet with real money. */
  readonly reset: number;
  /** The event of the market; null where it has none. */
  readonly eventId: string | null;
  /** The day that the bet counts for: `2026-12-05`. */
  readonly day: string;
  readonly at: Date;
  readonly decisionId: DecisionId;
  readonly orderId: OrderId | null;
}

/** The number of the reset in a slot with real money, which no reset of a paper account frees. */
export const REAL_MONEY = -1;

/** Names the bets that bound another one: those of a strategy in the same market, on the same event, or on the same day. */
export type SlotsKey = Pick<Slot, 'strategyId' | 'venue' | 'marketId' | 'eventId' | 'day'>;

/** How often a strategy skipped for one reason within an hour. */
export interface SkipCount {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  /** The beginning of the hour. */
  readonly hour: Date;
  readonly code: string;
  readonly count: number;
}
