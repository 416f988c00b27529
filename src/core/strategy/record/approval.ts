import type { AccountId, ApprovalId, DecisionId, OrderId } from '../../ids.js';
import type { Market } from '../../market/market.js';
import { ONE } from '../../money.js';
import { type BetDecision, inputAmount, skipOf } from '../decide/decide.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { Strategy } from '../strategy.js';
import type { BetRecord, Slot } from './decision-record.js';

/** What may become of a bet that needs the approval of a person. */
export const APPROVAL_STATES = ['waiting', 'approved', 'rejected', 'expired', 'refused'] as const;
/** One of them. */
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A bet of a strategy that waits for a person, and then what became of it. */
export interface Approval {
  readonly id: ApprovalId;
  readonly account: AccountId;
  readonly state: ApprovalState;
  /** The bet that was asked for; once a person approved it, what was decided at that moment. */
  readonly decision: BetRecord;
  /** Which money it bets: what was asked for on paper is never ordered with real money. */
  readonly paper: boolean;
  /** The event of the market; null where it has none. */
  readonly eventId: string | null;
  /** The day that the bet counts for while it waits. */
  readonly day: string;
  /** From then on it cannot be approved. */
  readonly expiresAt: Date;
  /** The credential that approved or rejected it, or `service` where it was withdrawn; null before, and where its time was over. */
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly orderId: OrderId | null;
}

/** Names the approvals that bound a bet of a strategy: all that wait, and those that were in the same market. */
export type ApprovalsKey = Pick<Slot, 'strategyId' | 'venue' | 'marketId'>;

/** How long a bet waits for a person, unless its rules say otherwise. */
export const APPROVE_WITHIN_MS = 10 * 60_000;

/** When a bet can be approved no longer: after the wait of its rules, at the end of the window, or at the start where it bets before that. */
export function expiryOf(
  {
    window,
    phase,
    order,
  }: Pick<TradingRules, 'window' | 'phase'> & {
    readonly order: Pick<TradingRules['order'], 'approveWithinMs'>;
  },
  { startsAt }: Pick<Market, 'startsAt'>,
  at: Date,
): Date {
  const start = startsAt?.getTime() ?? Number.POSITIVE_INFINITY;
  const end = window.toMs === null ? Number.POSITIVE_INFINITY : start + window.toMs;
  const lastBefore = phase === 'pre' ? start : Number.POSITIVE_INFINITY;
  return new Date(Math.min(at.getTime() + (order.approveWithinMs ?? APPROVE_WITHIN_MS), end, lastBefore));
}

/** The approval as it is at `now`: one that nobody decided on has expired then, whether or not that is on record. */
export const approvalAt = (approval: Approval, now: Date): Approval =>
  approval.state === 'waiting' && approval.expiresAt <= now ? { ...approval, state: 'expired' } : approval;

/** Whether it is one of those. */
export function isApprovalOf({ strategyId, venue, marketId }: ApprovalsKey, { state, decision }: Approval): boolean {
  if (decision.strategyId !== strategyId) return false;
  return state === 'waiting' || (decision.venue === venue && decision.marketId === marketId);
}

/** True where the strategy still asks for bets with this kind of money. */
export const stillAsks = (
  { automation, automationPaper, archivedAt }: Pick<Strategy, 'automation' | 'automationPaper' | 'archivedAt'>,
  { paper }: Pick<Approval, 'paper'>,
): boolean => archivedAt === null && automation === 'approve' && automationPaper === paper;

/** The approval once its strategy asks no longer: refused, with a decision of its own that says why. */
export function withdrawn(approval: Approval, id: DecisionId, at: Date, code = 'automation_changed'): Approval {
  const { account, id: approvalId, decision } = approval;
  const skipped = { ...skipOf(decision, code), at, id, account, orderId: null, approvalId };
  return { ...approval, state: 'refused', decision: skipped, decidedBy: 'service', decidedAt: at };
}

/** A bet as far as it bounds other bets. */
export type HeldSlot = Pick<Slot, 'venue' | 'marketId' | 'outcome' | 'eventId' | 'day'>;

/** What a bet that waits holds; null where it waits no longer. */
export function heldSlot(approval: Approval, now: Date): (HeldSlot & Pick<Approval, 'paper'>) | null {
  const { state, decision, eventId, day, paper } = approvalAt(approval, now);
  const { venue, marketId, token: outcome } = decision;
  return state === 'waiting' ? { venue, marketId, outcome, eventId, day, paper } : null;
}

const MOVED = ONE / 100n;
const BENCHED_MS = 4 * 60 * 60_000;

/**
 * Why a bet is not asked for now, although its rules are all true; null where it is. One of an outcome waits at a time. What was
 * rejected, refused or not answered is not asked for again until the best offer has moved by 0.01, the probability or the
 * version has changed, or 4 hours have passed; `movedAt` is when it last did, though it may be back.
 */
export function whyNotAsked(
  before: readonly Approval[],
  bet: BetDecision,
  movedAt: Date | null = null,
): 'approval_waiting' | 'benched' | null {
  const same = before
    .map((one) => approvalAt(one, bet.at))
    .filter(({ decision: { venue, marketId, token } }) => {
      return venue === bet.venue && marketId === bet.marketId && token === bet.token;
    });
  if (same.some(({ state }) => state === 'waiting')) return 'approval_waiting';
  const isBenched = same.some((one) => one.state !== 'approved' && isUnchanged(one, bet, movedAt));
  return isBenched ? 'benched' : null;
}

function isUnchanged({ decision, decidedAt, expiresAt }: Approval, bet: BetDecision, movedAt: Date | null): boolean {
  const since = (decidedAt ?? expiresAt).getTime();
  const [then, now] = [bestAskOf(decision), bestAskOf(bet)];
  const isMoved =
    (movedAt !== null && movedAt.getTime() > since) ||
    then === null ||
    now === null ||
    then - now >= MOVED ||
    now - then >= MOVED;
  const isNew = decision.strategyVersion !== bet.strategyVersion || decision.probability !== bet.probability;
  return !isMoved && !isNew && bet.at.getTime() - since < BENCHED_MS;
}

const bestAskOf = (decision: BetDecision): bigint | null => inputAmount(decision, 'best_ask');
