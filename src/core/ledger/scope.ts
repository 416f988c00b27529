import type { HoldingFilter, PositionKey } from '../account/position.js';
import type { AccountId, StrategyId } from '../ids.js';
import type { Order } from '../order/order.js';
import type { Scope } from './decision.js';

/** All that the next event of an order may touch: itself, its balance, its positions and its strategy's exposure. */
export function scopeOf(order: Order): Scope {
  const { account, intent } = order;
  const { paper, venue, marketId, outcome, strategy } = intent;
  const held = { account, paper, venue, marketId, outcome };
  const whole = { ...held, strategyId: null };
  if (strategy === null) return { account, orders: [order.id], positions: [whole] };
  const part = { ...held, strategyId: strategy.id };
  return { account, orders: [order.id], strategies: [strategy.id], positions: [whole, part] };
}

/** The same for several orders of one account in one market. */
export function scopeOfAll(account: AccountId, orders: readonly Order[]): Scope {
  const positions = new Map<string, PositionKey>();
  const strategies = new Set<StrategyId>();
  for (const order of orders) {
    if (order.intent.strategy !== null) strategies.add(order.intent.strategy.id);
    for (const key of scopeOf(order).positions ?? []) positions.set(`${key.outcome} ${key.strategyId}`, key);
  }
  return {
    account,
    orders: orders.map(({ id }) => id),
    strategies: [...strategies],
    positions: [...positions.values()],
  };
}

/** True where the scope names what this holder may lose. */
export const namesRisks = ({ risks = [] }: Scope, { paper, strategyId }: HoldingFilter): boolean =>
  risks.some((named) => named.paper === paper && named.strategyId === strategyId);
