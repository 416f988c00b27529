import type { IncomingMessage } from 'node:http';
import type { AuthScope, Principal } from '../../core/access/principal.js';
import type { Authenticator, Credentials } from '../../ports/authenticator.js';
import { Problem } from './problem.js';
import { sessionCookieIn } from './session-cookie.js';

const REALM = 'Bearer realm="stakeport"';

/** The credentials of a request, as sent. `Authorization` counts alone; a session that may not count was taken away by the gate. */
export function credentialsIn(req: IncomingMessage): Credentials {
  const { authorization, 'x-dev-user': devUser } = req.headers;
  const session = authorization === undefined && req.headers.cookie !== undefined ? sessionCookieIn(req) : undefined;
  return { authorization, devUser: typeof devUser === 'string' ? devUser : undefined, session };
}

/**
 * Who is calling.
 * @throws Problem unauthenticated with a challenge (RFC 6750, 3), or unavailable when it cannot be checked now.
 */
export async function identify(authenticator: Authenticator, credentials: Credentials): Promise<Principal> {
  const found = await authenticator.authenticate(credentials);
  switch (found.kind) {
    case 'principal':
      return found.principal;
    case 'missing':
      throw new Problem('unauthenticated', 'The request carries no credentials.', {
        headers: { 'www-authenticate': REALM },
      });
    case 'invalid':
      throw new Problem('unauthenticated', 'The credentials are not valid.', {
        headers: { 'www-authenticate': `${REALM}, error="invalid_token"` },
      });
    case 'unavailable':
      throw new Problem('unavailable', 'The credentials cannot be checked now.', {
        headers: { 'retry-after': '5' },
        cause: found.cause,
      });
  }
}

/**
 * Admits a caller with one of the scopes.
 * @throws Problem insufficient-scope
 */
export function requireScope(principal: Principal, ...scopes: readonly AuthScope[]): void {
  if (scopes.some((scope) => principal.scopes.has(scope))) return;
  throw lacking(`This needs the scope ${scopes.join(' or ')}.`, scopes);
}

/** The problem of credentials without any of these scopes, with a challenge. */
export function lacking(detail: string, scopes: readonly AuthScope[]): Problem {
  const challenge = `${REALM}, error="insufficient_scope", scope="${scopes.join(' ')}"`;
  return new Problem('insufficient-scope', detail, { headers: { 'www-authenticate': challenge } });
}
