import type { DeliveryStore, EndpointStore } from '../../../ports/endpoint-store.js';
import { beginning, type EventDelivery } from '../../endpoint/delivery.js';
import { MOST_READ } from '../../endpoint/delivery-round.js';
import type { Endpoint, EndpointKey } from '../../endpoint/endpoint.js';
import { slices } from '../../ledger/query.js';
import { storeDeliveries } from './store-endpoint.js';

/**
 * Has an endpoint begin afresh: nothing holds it, what waits is tried at once, and what follows `after` in the log is sent once
 * more; null goes on where it is.
 */
export async function sendAgain(
  endpoints: Pick<EndpointStore, 'deliveries' | 'find'>,
  endpoint: Endpoint,
  after: number | null,
  at: Date,
): Promise<void> {
  const { deliveries } = endpoints;
  const all = await deliveries.progress(endpoint.account);
  const before = all.find(({ endpointId }) => endpointId === endpoint.id) ?? beginning(endpoint, endpoint.startsAfter);
  const waiting = await deliveries.waiting(endpoint, MOST_READ);
  const urgentPassed = after ?? before.urgentPassed;
  const afresh = { epoch: before.epoch + 1, heldUntil: null, failingSince: null, urgentPassed };
  await storeDeliveries(endpoints, endpoint, {
    ...(after !== null && { remove: await givenUpAfter(deliveries, endpoint, after) }),
    put: waiting.map((one) => ({ ...one, nextAt: at })),
    progress: { ...before, ...afresh, passed: after ?? before.passed },
  });
}

/** They are sent once more by their place in the log, so they count as given up no more. */
async function givenUpAfter(
  deliveries: DeliveryStore,
  endpoint: EndpointKey,
  after: number,
): Promise<readonly EventDelivery[]> {
  const found: EventDelivery[] = [];
  const newestFirst = slices(
    (page) => deliveries.list(endpoint, page),
    ({ seq }: EventDelivery) => seq,
  );
  for await (const slice of newestFirst) {
    found.push(...slice.filter(({ seq, nextAt }) => seq > after && nextAt === null));
    if (slice.some(({ seq }) => seq <= after)) break;
  }
  return found;
}
