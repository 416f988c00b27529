import { isLimitCode } from '../../limits/limits.js';
import type { Price, Shares, Usdc } from '../../money.js';
import type { DecisionSubject, Skip } from '../decide/decide.js';
import { isRuleCode } from '../rules/rule-members.js';
import type { ExitDecision, NoSale, Sale } from './decide-exit.js';

/**
 * A sale as the record of decisions has it, in the members of a bet: a bet without a slot. What it sold is `token`; what it
 * expected to get is among its inputs.
 */
export interface ExitOrdered {
  readonly verdict: 'bet';
  readonly code: null;
  /** The limit of the order. */
  readonly price: Price;
  /** Money at the limit. */
  readonly size: Usdc;
  /** What it sells. */
  readonly shares: Shares;
  readonly cost: null;
  readonly odds: null;
  readonly edge: null;
  /** The limit that made it smaller, such as `event_loss`; else the condition that was true: `exit/stop`. */
  readonly boundBy: string;
  readonly slot: null;
}

type Subject<T extends Sale | NoSale> = DecisionSubject & T;

/** What a strategy would do with what it holds: the sale that it would order, or why it sells nothing. */
export type ExitEvaluation = DecisionSubject & (ExitOrdered | Skip);

/** A sale that was ordered, or the code with which the venue refused it. */
export function exitRecord(sale: Subject<Sale>, refusal: string | null, message: string | null = null): ExitEvaluation {
  if (refusal !== null) return exitSkip(heldBack(sale, refusal, message), refusal);
  const { trigger, price, size, shares, boundBy } = sale;
  const none = { cost: null, odds: null, edge: null, slot: null } as const;
  return { ...subjectOf(sale), verdict: 'bet', code: null, price, size, shares, boundBy: boundBy ?? trigger, ...none };
}

/** A decision to sell as one that sells nothing, with the sentence of its refusal. */
export function heldBack(sale: Subject<Sale>, code: string, message: string | null = null): Subject<NoSale> {
  const nothing = { price: null, size: null, shares: null, proceeds: null } as const;
  const limit = isLimitCode(code) || isRuleCode(code) ? message : null;
  return { ...subjectOf(sale), verdict: 'hold', trigger: sale.trigger, code, limit, ...nothing };
}

/** A sale that did not come about, as the record of decisions has it; `code` says why. */
export function exitSkip(decision: Subject<NoSale>, code: string): DecisionSubject & Skip {
  const nothing = { price: null, size: null, shares: null, cost: null, odds: null, edge: null, slot: null } as const;
  const subject = subjectOf(decision);
  const { limit: refusal } = decision;
  const inputs = refusal === null ? subject.inputs : { ...subject.inputs, refusal };
  return { ...subject, verdict: 'skip', code, boundBy: decision.trigger, ...nothing, inputs };
}

function subjectOf(decision: ExitDecision): DecisionSubject {
  const { at, strategyId, strategyVersion, marketId, venue } = decision;
  const { token, outcomeLabel, question, event, probability, inputs, rules } = decision;
  const subject = { at, strategyId, strategyVersion, marketId, venue, token, outcomeLabel, question, event };
  return { ...subject, probability, inputs, rules };
}
