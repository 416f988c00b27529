import * as v from 'valibot';
import { AUTH_SCOPES } from '../../core/access/principal.js';
import { placeOf } from '../../core/endpoint/destination.js';
import { ENDPOINT_STATES, type ShownEndpoint } from '../../core/endpoint/endpoint.js';
import type { LoggedKey } from '../../core/ledger/event-log.js';
import { means, momentOut, uuidOut } from './schema.js';

/** An API key, without what authenticates. */
export const keyOut = v.object({
  id: means(v.string(), 'The id of the key, which is the part of it before the secret.'),
  account: means(v.string(), 'The account that the key acts for.'),
  scopes: means(v.array(v.picklist(AUTH_SCOPES)), 'What the key may do.'),
  created_at: means(momentOut, 'When it was made.'),
  expires_at: means(v.nullable(momentOut), 'When it ends; null for never.'),
  revoked_at: means(v.nullable(momentOut), 'When it was revoked; null while it is not.'),
});

/** An API key as the API shows it. */
export function presentKey(key: LoggedKey): v.InferInput<typeof keyOut> {
  return {
    id: key.id,
    account: key.account,
    scopes: [...key.scopes],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

/** A webhook that a revoked key made or led elsewhere. */
export const webhookOfKeyOut = v.object({
  id: means(uuidOut, 'The id of the webhook.'),
  to: means(v.string(), 'The host or the chat that it leads to.', 'example.org'),
  state: means(v.picklist(ENDPOINT_STATES), 'What it is now.'),
});

/** A webhook of a key as the API shows it. */
export const presentWebhookOfKey = ({ id, target, state }: ShownEndpoint): v.InferInput<typeof webhookOfKeyOut> => ({
  id,
  to: placeOf(target),
  state,
});
