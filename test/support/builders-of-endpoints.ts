import { type EventDelivery, waitingFor } from '../../src/core/endpoint/delivery.js';
import type { Endpoint } from '../../src/core/endpoint/endpoint.js';
import type { EndpointId } from '../../src/core/ids.js';
import { ALICE, countingIds, NOON } from './builders.js';

/** A webhook that is sent everything. */
export function aWebhook(changes: Partial<Endpoint> = {}): Endpoint {
  return {
    account: ALICE,
    id: countingIds.next() as EndpointId,
    types: [],
    description: '',
    by: 'a key',
    target: { kind: 'webhook', url: 'https://hooks.example/' },
    startsAfter: 0,
    skipped: null,
    state: 'active',
    disabledBecause: null,
    secrets: { current: 'sealed', previous: null },
    createdAt: new Date(NOON),
    updatedAt: new Date(NOON),
    ...changes,
  };
}

/** An event that a webhook waits to be sent. */
export function aDelivery(webhook: Endpoint, seq: number, changes: Partial<EventDelivery> = {}): EventDelivery {
  return { ...waitingFor(webhook, { seq, type: 'order.fill', orderId: null }, new Date(NOON)), ...changes };
}
