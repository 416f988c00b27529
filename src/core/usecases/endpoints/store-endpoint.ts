import type { DeliveryChanges, EndpointStore } from '../../../ports/endpoint-store.js';
import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, Ids } from '../../../ports/system.js';
import type { WebhookSender } from '../../../ports/webhook-sender.js';
import {
  type Endpoint,
  type EndpointKey,
  type EndpointTarget,
  MOST_ENDPOINTS,
  tokenProblem,
} from '../../endpoint/endpoint.js';
import {
  TooManyWebhooks,
  WebhookMemberInvalid,
  WebhookNotFound,
  WebhookUrlInvalid,
} from '../../endpoint/webhook-errors.js';
import type { EndpointId } from '../../ids.js';
import { earlierResult } from '../../ledger/decision.js';
import { type KeyedRequest, requestRecords } from '../../ledger/request.js';

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

/** Stores what became of deliveries. Of an endpoint that was removed meanwhile nothing stays. */
export async function storeDeliveries(
  endpoints: Pick<EndpointStore, 'deliveries' | 'find'>,
  endpoint: EndpointKey,
  changes: DeliveryChanges,
): Promise<void> {
  await endpoints.deliveries.store(changes);
  // Read afterwards: a later removal deletes the deliveries by itself.
  const found = await endpoints.find(endpoint.account, endpoint.id);
  if (found === undefined) await endpoints.deliveries.forget(endpoint);
}

/** Refuses a target that nothing may be sent to, or commanded from. @throws WebhookUrlInvalid, WebhookMemberInvalid */
export function refuseTarget(target: EndpointTarget, sender: Pick<WebhookSender, 'problemOf'>): void {
  if (target.kind === 'telegram') {
    if (target.commands !== undefined && target.chatId.startsWith('@'))
      throw new WebhookMemberInvalid(
        'commandsFrom',
        'must be empty for the @name of a channel: give the number of a chat',
      );
    return;
  }
  const problem = sender.problemOf(target.url) ?? (target.kind === 'ntfy' ? serverProblem(target.url) : null);
  if (problem !== null) throw new WebhookUrlInvalid(problem);
}

/** Refuses a token that no messenger of this kind has. @throws WebhookMemberInvalid */
export function refuseToken(kind: EndpointTarget['kind'], token: string | null): void {
  const problem = kind === 'webhook' ? null : tokenProblem(kind, token);
  if (problem !== null) throw new WebhookMemberInvalid('token', problem);
}

/** Messages are published to the address of the server itself, which says the topic beside them. */
const serverProblem = (url: string): string | null =>
  /^https?:\/\/[^/?#]+\/?$/.test(url)
    ? null
    : 'must be the address of an ntfy server alone: its topic has a member of its own';
