import { isWorking, type OrderStatus } from './lifecycle.js';
import type { Order } from './order.js';

/** True while its venue may have news of an order that was sent: it works, or a fill may still be undone. */
export const isUnfinished = ({ state, fills }: Pick<Order, 'state' | 'fills'>): boolean =>
  (isWorking(state) && state !== 'pending') || fills.some(({ settlement }) => settlement === 'provisional');

/**
 * The public status: a pure function of the order, its fills and its money.
 *
 * @example
 * ```ts
 * import { createStakeport, formatMicro, isInFlight, isWorking, remaining, statusOf } from 'stakeport';
 *
 * const stakeport = createStakeport();
 * const order = await stakeport.orders.place({ account: 'me', market: 'rain', outcome: 'YES', price: '0.5', usdc: 10 });
 * console.log(statusOf(order), isWorking(order.state), isInFlight(order.state), formatMicro(remaining(order)));
 * ```
 */
export function statusOf(order: Order): OrderStatus {
  if (order.settlement !== null) return 'settled';
  switch (order.state) {
    case 'submitting':
      return 'pending';
    case 'delayed':
      return order.filled.shares > 0n ? 'partially_filled' : 'delayed';
    case 'open':
    case 'cancel_pending':
      return order.filled.shares > 0n ? 'partially_filled' : 'open';
    default:
      return order.state;
  }
}
