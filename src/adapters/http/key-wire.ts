import * as v from 'valibot';
import { AUTH_SCOPES } from '../../core/access/principal.js';
import type { LoggedKey } from '../../core/ledger/event-log.js';
import { momentOut } from './schema.js';

/** An API key, without what authenticates. */
export const keyOut = v.object({
  id: v.string(),
  account: v.string(),
  scopes: v.array(v.picklist(AUTH_SCOPES)),
  created_at: momentOut,
  expires_at: v.nullable(momentOut),
  revoked_at: v.nullable(momentOut),
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
