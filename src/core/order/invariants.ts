import { InvariantBroken } from '../errors.js';
import { AMOUNT_LIMIT, isPrice } from '../money.js';
import type { Fill } from './fill.js';
import type { Intent } from './intent.js';
import type { OrderState } from './lifecycle.js';
import type { Order } from './order.js';

const REFUSED: ReadonlySet<OrderState> = new Set(['denied', 'rejected', 'failed', 'unknown']);
const ACCEPTED: ReadonlySet<OrderState> = new Set([
  'delayed',
  'open',
  'cancel_pending',
  'filled',
  'cancelled',
  'failed',
]);

/**
 * The rules that hold for every order at every moment; checked in production too. The SQL stores have the same rules as
 * CHECK constraints.
 * @throws InvariantBroken naming the rule.
 */
export function checkOrder(order: Order): void {
  const { filled, intent, settlement, state } = order;
  must(isPrice(intent.price), 'a price lies between 0 and 1');
  must(intent.size > 0n && intent.size < AMOUNT_LIMIT, 'a size is above 0 and below 2^53');
  must(intent.shares >= 0n && intent.shares < AMOUNT_LIMIT, '0 <= shares < 2^53');
  must(
    order.fills.every((fill) => isWithinLimit(intent, fill)),
    'a fill has shares, no negative fee, and no price worse than the limit',
  );
  must(order.fills.every(isThere), 'a fill takes no more than is displayed and left of it');
  must(filled.confirmed <= filled.shares, 'confirmed <= filled');
  must(intent.side === 'SELL' || filled.notional <= intent.size, 'a purchase never spends more than its size');
  must(intent.side === 'BUY' || filled.shares <= intent.shares, 'a sale never sells more than its shares');
  must((order.refusal !== null) === REFUSED.has(state), 'error is set for denied, rejected, failed and unknown alone');
  must(order.venueOrderId !== null || !ACCEPTED.has(state), 'an accepted order has its identity at the venue');
  must(state !== 'filled' || filled.shares > 0n, 'filled means that something was filled');
  must(settlement === null || settlement.at >= order.placedAt, 'settled after placed');
}

function isWithinLimit({ side, price }: Intent, fill: Fill): boolean {
  return fill.shares > 0n && fill.fee >= 0n && (side === 'BUY' ? fill.price <= price : fill.price >= price);
}

function isThere({ shares, taken }: Fill): boolean {
  return taken === undefined || (shares <= taken.shares && taken.shares <= taken.displayed);
}

function must(hold: boolean, rule: string): void {
  if (!hold) throw new InvariantBroken(rule);
}
