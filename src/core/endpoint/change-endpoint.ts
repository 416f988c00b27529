import type { Ledger } from '../../ports/ledger.js';
import type { Account } from '../account/account.js';
import { alarmed, unalarmed } from '../account/account-alarms.js';
import { WebhookNotFound } from '../webhook-errors.js';
import { placeOf } from './destination.js';
import { disabled, type Endpoint, type EndpointKey } from './endpoint.js';

/**
 * Changes an endpoint, in one write with its event and, unless `isAlarming` is false, its alarm.
 * @throws WebhookNotFound, what `change` throws
 */
export function changeEndpoint(
  ledger: Pick<Ledger, 'write'>,
  { account, id }: EndpointKey,
  change: (endpoint: Endpoint) => Endpoint,
  isAlarming = true,
): Promise<Endpoint> {
  return ledger.write({ account, endpoints: true }, (now) => {
    const before = now.endpoint(id);
    if (before === undefined) throw new WebhookNotFound();
    const after = change(before);
    if (after === before) return { result: before };
    const owner = isAlarming ? ownerAfter(now.account, before, after) : now.account;
    return { result: after, endpoints: [after], ...(owner !== now.account && { accounts: [owner] }) };
  });
}

/** Disables it, for a reason that is a sentence; one that is disabled, or was removed meanwhile, stays as it is. */
export async function disableEndpoint(
  ledger: Pick<Ledger, 'write'>,
  endpoint: EndpointKey,
  because: string,
  at: Date,
): Promise<void> {
  const disable = (one: Endpoint) => (one.state === 'active' ? disabled(one, because, at) : one);
  await changeUnlessRemoved(ledger, endpoint, disable);
}

/** As `changeEndpoint`, and nothing where it was removed meanwhile. */
export async function changeUnlessRemoved(
  ledger: Pick<Ledger, 'write'>,
  endpoint: EndpointKey,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<void> {
  await changeEndpoint(ledger, endpoint, change).catch((error: unknown) => {
    if (!(error instanceof WebhookNotFound)) throw error;
  });
}

/** An alarm lasts for as long as an endpoint is disabled. */
function ownerAfter(account: Account, before: Endpoint, after: Endpoint): Account {
  if (before.state === after.state) return account;
  const key = { kind: 'webhook_disabled', subject: after.id } as const;
  if (after.state !== 'disabled') return unalarmed(account, key);
  const detail = `Webhook ${after.id} to ${placeOf(after.target)} is disabled: ${after.disabledBecause}`;
  return alarmed(account, { ...key, detail, since: after.updatedAt, until: null });
}
