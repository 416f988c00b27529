import type { SignalSource } from '../../../ports/signals.js';
import { freeShares, type Position, paidFor } from '../../account/position.js';
import type { Scope, Snapshot } from '../../ledger/decision.js';
import { least, minus, NO_SHARES, plus, type Shares } from '../../money.js';
import { reservedShares } from '../../order/order.js';
import type { Estimate } from '../../strategy/conditions/bet-inputs.js';
import type { ExitInputs } from '../../strategy/exit/exit-inputs.js';
import { tradingRules } from '../../strategy/rules/trading-rules.js';
import type { SeenMarket } from '../../strategy/watch/market-scene.js';
import { type HeldPosition, partKey } from './held-position.js';
import { readEstimates } from './read-estimates.js';

/** What a strategy holds, and all that is seen of it from outside of the record. */
export interface ExitJudgement {
  readonly held: HeldPosition;
  readonly seen: SeenMarket;
  readonly estimate: Estimate | null;
}

/** What the model of the strategy says of the market, where its exits ask for that. @throws what the model throws */
export async function exitEstimate(
  signals: SignalSource,
  { strategy }: HeldPosition,
  seen: SeenMarket,
): Promise<ExitJudgement['estimate']> {
  if (strategy.rules.exit?.edgeBelow === undefined) return null;
  return (await readEstimates(signals, strategy, { ...seen, others: [] })).estimate;
}

/** What `sellable` reads beside positions. */
export function exitScope({ held }: ExitJudgement): Pick<Scope, 'sales' | 'keys'> {
  const { automationKey } = held.strategy;
  return { sales: partKey(held), ...(automationKey !== null && { keys: [automationKey] }) };
}

/**
 * What the strategy may sell of its own: not what an order of its sells already, and no more than the account has free. Shares
 * that the account sold without naming the strategy are gone, although they still count as its part.
 */
export function sellable(now: Snapshot, part: Position): Shares {
  const onSale = now.sales().reduce((sum, order) => plus(sum, reservedShares(order)), NO_SHARES);
  const own = now.position({ ...part, strategyId: null });
  const free = own === undefined ? NO_SHARES : least(freeShares(own), minus(part.shares, onSale));
  return free > 0n ? free : NO_SHARES;
}

/** What decides: the judgement, with what it cost and what of it may be sold. */
export function exitInputs(
  judgement: ExitJudgement,
  part: Pick<Position, 'cost' | 'heldFees'>,
  free: Shares,
  now: Date,
): ExitInputs {
  const { held, seen, estimate } = judgement;
  const { strategy, outcome, paper, shares, since } = held;
  const position = { shares, free, cost: paidFor(part), since };
  return { strategy, rules: tradingRules(strategy), outcome, paper, ...seen, position, estimate, now };
}
