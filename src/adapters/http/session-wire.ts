import * as v from 'valibot';
import { AUTH_SCOPES, type Principal } from '../../core/access/principal.js';
import type { OpenSession } from '../../core/access/session.js';
import { means, momentOut } from './schema.js';

const KINDS = { key: 'key', jwt: 'token', dev: 'dev' } as const;

/** A caller, and the session if it is by one. */
export const callerOut = v.object({
  account: means(v.string(), 'The account that requests like this one act for.'),
  kind: means(
    v.picklist(['session', ...Object.values(KINDS)]),
    'By what the request was authenticated: a session, an API key, an access token, or a development user.',
  ),
  credential: means(v.string(), 'The id of the key, also of the one that a session was begun with; or of the token.'),
  scopes: means(v.array(v.picklist(AUTH_SCOPES)), 'What the caller may do. A session may do what its key may.'),
  started_at: means(v.nullable(momentOut), 'When the session began; null without one.'),
  idle_at: means(v.nullable(momentOut), 'When the session ends unless it is used before; null without one.'),
  ends_at: means(v.nullable(momentOut), 'When the session ends, however much it is used; null without one.'),
});

/** The caller as the API shows it. */
export function presentCaller(
  { account, kind, credential, scopes }: Principal,
  session: OpenSession | null,
): v.InferInput<typeof callerOut> {
  return {
    account,
    kind: session === null ? KINDS[kind] : 'session',
    credential,
    scopes: AUTH_SCOPES.filter((scope) => scopes.has(scope)),
    started_at: session?.startedAt.toISOString() ?? null,
    idle_at: session?.idleAt.toISOString() ?? null,
    ends_at: session?.endsAt.toISOString() ?? null,
  };
}
