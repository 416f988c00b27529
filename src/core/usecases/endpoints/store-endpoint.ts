import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import { type Endpoint, MOST_ENDPOINTS } from '../../endpoint/endpoint.js';
import { TooManyWebhooks, WebhookNotFound } from '../../endpoint/webhook-errors.js';
import type { EndpointId } from '../../ids.js';
import { type KeyedRequest, requestRecords } from '../../ledger/request.js';
import { earlierResult } from '../../ledger/under-lease.js';

/** What is stored of a new endpoint. */
export interface NewEndpoint extends Pick<Endpoint, 'account' | 'target' | 'types' | 'description' | 'by'> {
  readonly sealed: string;
  readonly request: KeyedRequest | null;
}

/** An endpoint, and whether an earlier request with the same key made it. */
export interface StoredEndpoint {
  readonly webhook: Endpoint;
  readonly replayed: boolean;
}

/** Stores a new endpoint, which is sent nothing yet, in one write with its event. @throws TooManyWebhooks, IdempotencyKeyReused */
export async function storeEndpoint(
  ledger: Ledger,
  { wallClock, ids }: { readonly wallClock: Clock; readonly ids: Ids },
  { account, target, types, description, by, sealed, request }: NewEndpoint,
): Promise<StoredEndpoint> {
  const id = ids.next() as EndpointId;
  const startsAfter = (await ledger.log.range(account))?.last ?? 0;
  const scope = { account, endpoints: true, ...(request && { request: request.key }) } as const;
  return ledger.write<StoredEndpoint>(scope, (now) => {
    const at = wallClock.now();
    const earlier = earlierResult(now, request, at);
    if (earlier !== undefined) {
      const known = now.endpoint(earlier as EndpointId);
      if (known === undefined) throw new WebhookNotFound();
      return { result: { webhook: known, replayed: true } };
    }
    if (now.endpoints().length >= MOST_ENDPOINTS) throw new TooManyWebhooks(MOST_ENDPOINTS);
    const webhook: Endpoint = {
      account,
      id,
      target,
      types,
      description,
      by,
      startsAfter,
      state: 'unverified',
      disabledBecause: null,
      skipped: null,
      secrets: { current: sealed, previous: null },
      createdAt: at,
      updatedAt: at,
    };
    const requests = requestRecords(request, id, false, at);
    return { result: { webhook, replayed: false }, endpoints: [webhook], requests };
  });
}
