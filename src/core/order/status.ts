import { isWorking, NEVER_ARRIVED, type OrderStatus } from './lifecycle.js';
import type { Order } from './order.js';

/**
 * Codes of orders that were given up on looks alone, be it that they never came or that they are there no more, or on a message
 * that they found nothing, which trades may still correct.
 */
const PRESUMED: readonly (string | undefined)[] = [
  NEVER_ARRIVED,
  'dropped_after_delay',
  'fok_not_filled',
  'fak_no_match',
];

/** True for a rejection without the venue's word: should the order show up after all, that counts. */
export const isPresumed = ({ state, refusal }: Pick<Order, 'state' | 'refusal'>): boolean =>
  state === 'rejected' && PRESUMED.includes(refusal?.code);

/** True while its venue may have news of an order that was sent: it works, or a fill may still be undone. */
export const isUnfinished = ({ state, fills }: Pick<Order, 'state' | 'fills'>): boolean =>
  (isWorking(state) && state !== 'pending') || fills.some(({ settlement }) => settlement === 'provisional');

/** The public status: a pure function of the order, its fills and its money. */
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
