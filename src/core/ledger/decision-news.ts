import type { OrderStatus } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { statusOf } from '../order/status.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Decision, Snapshot } from './decision.js';

/** An order that has another status since a write, or was placed by it. */
export interface OrderStep {
  readonly order: Order;
  readonly status: OrderStatus;
  readonly isNew: boolean;
}

/** What a write changes that somebody who watches a store wants to know. */
export interface DecisionNews {
  readonly orders: readonly OrderStep[];
  readonly decisions: readonly DecisionRecord[];
}

/** Compares a decision with what it was made on; null where it has no news. */
export function newsIn({ orders = [], decisions = [] }: Decision<unknown>, now: Snapshot): DecisionNews | null {
  const steps: OrderStep[] = [];
  for (const order of orders) {
    const [before, status] = [now.order(order.id), statusOf(order)];
    if (before === undefined || statusOf(before) !== status) steps.push({ order, status, isNew: before === undefined });
  }
  return steps.length === 0 && decisions.length === 0 ? null : { orders: steps, decisions };
}
