import type { DeliveryStore } from '../../../ports/endpoint-store.js';
import { beginning } from '../../endpoint/delivery.js';
import { MOST_WAITING } from '../../endpoint/delivery-round.js';
import type { Endpoint } from '../../endpoint/endpoint.js';

/**
 * Has an endpoint begin afresh: nothing holds it, what waits is tried at once, and what follows `after` in the log is sent once
 * more; null goes on where it is.
 */
export async function sendAgain(
  deliveries: DeliveryStore,
  endpoint: Endpoint,
  after: number | null,
  at: Date,
): Promise<void> {
  const all = await deliveries.progress(endpoint.account);
  const before = all.find(({ endpointId }) => endpointId === endpoint.id) ?? beginning(endpoint, endpoint.startsAfter);
  const waiting = await deliveries.waiting(endpoint, MOST_WAITING);
  const afresh = { epoch: before.epoch + 1, heldUntil: null, failingSince: null };
  await deliveries.store({
    put: waiting.map((one) => ({ ...one, nextAt: at })),
    progress: { ...before, ...afresh, passed: after ?? before.passed },
  });
}
