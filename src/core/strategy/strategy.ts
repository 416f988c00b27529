import type { AccountId, StrategyId } from '../ids.js';
import { NO_USDC, type Usdc } from '../money.js';
import { completeRules, sameRules } from './complete-rules.js';
import type { Rules, RulesDraft } from './rules.js';

/** A client's request to make a strategy. */
export interface StrategyDraft {
  readonly name: string;
  readonly sport: string;
  readonly rules: RulesDraft;
  readonly bankrollCap: Usdc;
  readonly stakeCap: Usdc;
  readonly isPaused?: boolean;
  readonly paperOnly?: boolean;
}

/** A client's request to change one; an absent member stays as it is. */
export interface StrategyPatch {
  readonly name?: string;
  readonly rules?: RulesDraft;
  readonly bankrollCap?: Usdc;
  readonly stakeCap?: Usdc;
  readonly isPaused?: boolean;
  readonly paperOnly?: boolean;
}

/** One immutable version of a strategy. The highest is the strategy as it is now. */
export interface Strategy {
  readonly id: StrategyId;
  readonly account: AccountId;
  /** 1 at creation, one more with every change. */
  readonly version: number;
  readonly name: string;
  readonly sport: string;
  readonly rules: Rules;
  /** The most money that may be at work at once, open and unsettled. */
  readonly bankrollCap: Usdc;
  /** The most money in one order. */
  readonly stakeCap: Usdc;
  readonly isPaused: boolean;
  /** Bars live trading, regardless of what an order requests. */
  readonly paperOnly: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly archivedAt: Date | null;
}

/** Money that a strategy has at work, paper and live apart: reserved by open orders, or in shares not yet settled. */
export interface Exposure {
  readonly account: AccountId;
  readonly strategyId: StrategyId;
  readonly paper: boolean;
  readonly committed: Usdc;
}

/**
 * The first version: running, and on paper only, unless the draft says otherwise.
 * @throws RulesInvalid
 */
export function createStrategy(id: StrategyId, account: AccountId, draft: StrategyDraft, now: Date): Strategy {
  return { id, account, version: 1, ...completeDraft(draft), createdAt: now, updatedAt: now, archivedAt: null };
}

/** The draft with every default filled in, so that drafts of one meaning are equal. @throws RulesInvalid */
export function completeDraft(draft: StrategyDraft) {
  const { name, sport, bankrollCap, stakeCap, isPaused = false, paperOnly = true } = draft;
  return { name, sport, rules: completeRules(draft.rules, sport), bankrollCap, stakeCap, isPaused, paperOnly };
}

/**
 * The next version, or the very same strategy when the patch changes nothing.
 * @throws RulesInvalid
 */
export function changeStrategy(strategy: Strategy, patch: StrategyPatch, now: Date): Strategy {
  const { rules: draft, ...members } = patch;
  const rules = draft === undefined ? strategy.rules : completeRules(draft, strategy.sport);
  const next: Strategy = { ...strategy, ...members, rules };
  if (same(strategy, next)) return strategy;
  return { ...next, version: strategy.version + 1, updatedAt: now };
}

/** The last version: kept for its orders, gone from everywhere else. */
export function archiveStrategy(strategy: Strategy, now: Date): Strategy {
  return { ...strategy, version: strategy.version + 1, updatedAt: now, archivedAt: now };
}

/** A strategy before its first order. */
export function noExposure(strategy: Pick<Strategy, 'account' | 'id'>, paper: boolean): Exposure {
  return { account: strategy.account, strategyId: strategy.id, paper, committed: NO_USDC };
}

function same(a: Strategy, b: Strategy): boolean {
  const members = (s: Strategy) => [s.name, s.bankrollCap, s.stakeCap, s.isPaused, s.paperOnly];
  const others = members(b);
  return members(a).every((member, i) => member === others[i]) && sameRules(a.rules, b.rules);
}
