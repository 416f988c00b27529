import type { Price, Usdc } from '../../money.js';
import type { BetInputs } from '../conditions/candidate.js';
import { textOf } from '../conditions/candidate.js';
import { type BetDecision, decideBet, inputAmount, skipOf } from '../decide/decide.js';
import type { Rules } from '../rules/rules.js';
import type { Strategy } from '../strategy.js';
import type { Approval } from './approval.js';

/** The most by which the best offer may be worse than when the bet was asked for, unless `max_drift` says otherwise. */
const MAX_DRIFT = 20_000n as Price;

/** The most by which the best offer of a bet may become worse while it waits for approval; null without a bound. */
export const driftPermitted = ({ filter: { maxDrift = MAX_DRIFT } }: Pick<Rules, 'filter'>): Price | null => maxDrift;

/** The version that is in force. */
type InForce = Pick<Strategy, 'rules' | 'automation' | 'automationPaper' | 'archivedAt'>;

/**
 * Decides again on a bet that a person has approved, at the prices of now: first that its best offer is not much worse than
 * when it was asked for, then by every rule, as any bet. It never takes out more money than was approved.
 */
export function decideApproved(
  { decision: asked, paper }: Pick<Approval, 'decision' | 'paper'>,
  strategy: InForce,
  inputs: BetInputs,
): BetDecision {
  const approved = inputAmount(asked, 'most_cost') as Usdc | null;
  const firstPrice = inputAmount(asked, 'first_price') as Price | null;
  const limitsLeft = [...inputs.limitsLeft, { name: 'approved', left: approved }];
  const decision = withDrift(asked, decideBet({ ...inputs, firstPrice, limitsLeft }), driftPermitted(strategy.rules));
  const { archivedAt, automation, automationPaper } = strategy;
  const isChanged = archivedAt !== null || automation === 'off' || automationPaper !== paper;
  return isChanged ? skipOf(decision, 'automation_changed') : decision;
}

function withDrift(asked: BetDecision, decision: BetDecision, most: Price | null): BetDecision {
  const [before, now] = [inputAmount(asked, 'best_ask'), inputAmount(decision, 'best_ask')];
  if (most === null || before === null || now === null) return decision;
  const passed = now - before <= most;
  const drift = { rule: 'approval/max_drift', value: writtenDrift(now - before), bound: textOf(most), passed };
  const tested = { ...decision, rules: [drift, ...decision.rules] };
  return passed ? tested : skipOf(tested, 'price_drifted');
}

/** A better price has not drifted. */
const writtenDrift = (drift: bigint): string | null => textOf(drift > 0n ? drift : 0n);
