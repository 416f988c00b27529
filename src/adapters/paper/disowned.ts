import type { VenueName } from '../../core/ids.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { CancelResult } from '../../ports/order-results.js';

/** The name under which orders on paper are simulated, whichever venue they are for. */
export const PAPER = 'paper' as VenueName;

/**
 * The answer to the cancellation of an order that an exchange in this process does not hold: it keeps nothing that matters,
 * so that one which still works on record is cancelled by the word alone.
 */
export function disowned({ state, venueOrderId }: Order): CancelResult {
  if (venueOrderId !== null && isWorking(state)) return { kind: 'cancelled' };
  return { kind: 'refused', reason: 'the order has ended' };
}
