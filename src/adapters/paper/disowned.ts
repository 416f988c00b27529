import type { VenueName } from '../../core/ids.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { CancelResult } from '../../ports/order-results.js';

/** The venue name under which paper orders of all venues are simulated. */
export const PAPER = 'paper' as VenueName;

/**
 * The answer to the cancellation of an order that an exchange in this process does not hold: it keeps no durable state, so
 * an order that is still working on record is cancelled by this answer alone.
 */
export function disowned({ state, venueOrderId }: Order): CancelResult {
  if (venueOrderId !== null && isWorking(state)) return { kind: 'cancelled' };
  return { kind: 'refused', reason: 'the order has ended' };
}
