import type { Endpoint } from './endpoint.js';

/** What can happen to an endpoint, as the types of its events. */
export const WEBHOOK_EVENT_TYPES = [
  'webhook.created',
  'webhook.changed',
  'webhook.verified',
  'webhook.disabled',
  'webhook.enabled',
  'webhook.removed',
  'webhook.skipped',
] as const;

/** What happened to an endpoint; `before` is undefined for a new one. */
export function endpointEventType(
  { state, skipped }: Endpoint,
  before: Endpoint | undefined,
): (typeof WEBHOOK_EVENT_TYPES)[number] {
  if (before === undefined) return 'webhook.created';
  if (state === before.state) return skipped === before.skipped ? 'webhook.changed' : 'webhook.skipped';
  // Another address has to be verified again, and so has one of a revoked key.
  if (state === 'unverified') return 'webhook.changed';
  if (state === 'disabled') return 'webhook.disabled';
  if (state === 'removed') return 'webhook.removed';
  return before.state === 'disabled' ? 'webhook.enabled' : 'webhook.verified';
}
