import { AUTH_SCOPES, accountNamed } from '../../core/access/principal.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';

const DEFAULT_USER = 'dev';

/**
 * Trusts every caller: `x-dev-user` names the account, `dev` when absent, and `authorization` is ignored. For one's own
 * machine only; its principals have every scope but can never trade live, being of kind `dev`.
 *
 * @example
 * ```ts
 * import { DevAuthenticator } from 'stakeport/http';
 *
 * const authentication = await new DevAuthenticator().authenticate({ authorization: undefined, devUser: 'me' });
 * ```
 */
export class DevAuthenticator implements Authenticator {
  async authenticate({ devUser = DEFAULT_USER }: Credentials): Promise<Authentication> {
    const account = accountNamed(devUser);
    if (account === undefined) return { kind: 'invalid' };
    return {
      kind: 'principal',
      principal: { account, credential: 'dev', kind: 'dev', scopes: new Set(AUTH_SCOPES) },
    };
  }
}
