import { InvariantBroken } from '../errors.js';
import type { OrderState } from './lifecycle.js';
import type { Order } from './order.js';

const REFUSED: ReadonlySet<OrderState> = new Set(['denied', 'rejected', 'failed', 'unknown']);
const ACCEPTED: ReadonlySet<OrderState> = new Set(['delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'failed']);

/**
 * The rules that hold for every order at every moment; kept in production.
 * The SQL stores hold the same rules as CHECK constraints.
 * @throws InvariantBroken naming the rule.
 */
export function checkOrder(order: Order): void {
  const { filled, intent, settlement, state } = order;
  must(filled.confirmed <= filled.shares, 'confirmed <= filled');
  must(intent.side === 'SELL' || filled.notional <= intent.size, 'a purchase never spends more than its size');
  must(intent.side === 'BUY' || filled.shares <= intent.shares, 'a sale never sells more than its shares');
  must((order.refusal !== null) === REFUSED.has(state), 'error is set for denied, rejected, failed and unknown alone');
  must(order.venueOrderId !== null || !ACCEPTED.has(state), 'an accepted order has its identity at the venue');
  must(state !== 'filled' || filled.shares > 0n, 'filled means that something was filled');
  must(settlement === null || settlement.at >= order.placedAt, 'settled after placed');
}

function must(hold: boolean, rule: string): void {
  if (!hold) throw new InvariantBroken(rule);
}
