import type { Order } from '../order/order.js';
import type { Scope } from './decision.js';

/** All that the next event of an order may touch: itself, its balance, its positions and its strategy's exposure. */
export function scopeOf(order: Order): Scope {
  const { account, intent } = order;
  const { paper, marketId, token, strategy } = intent;
  const held = { account, paper, marketId, token };
  const whole = { ...held, strategyId: null };
  if (strategy === null) return { account, orders: [order.id], positions: [whole] };
  const part = { ...held, strategyId: strategy.id };
  return { account, orders: [order.id], strategies: [strategy.id], positions: [whole, part] };
}
