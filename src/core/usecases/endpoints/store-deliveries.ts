import type { DeliveryChanges, EndpointStore } from '../../../ports/endpoint-store.js';
import type { EndpointKey } from '../../endpoint/endpoint.js';

/** Stores what became of deliveries. Of an endpoint that was removed meanwhile nothing stays. */
export async function storeDeliveries(
  endpoints: Pick<EndpointStore, 'deliveries' | 'find'>,
  endpoint: EndpointKey,
  changes: DeliveryChanges,
): Promise<void> {
  await endpoints.deliveries.store(changes);
  // Looked at afterwards: a removal that comes later forgets it by itself.
  const found = await endpoints.find(endpoint.account, endpoint.id);
  if (found === undefined) await endpoints.deliveries.forget(endpoint);
}
