import * as v from 'valibot';
import { AUTH_SCOPES } from '../../core/access/principal.js';
import type { LoggedKey } from '../../core/ledger/event-subject.js';
import { means, momentOut } from './schema.js';

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
    ...{ id: key.id, account: key.account, scopes: [...key.scopes] },
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
