import { accountNamed } from '../../core/access/account-name.js';
import { AUTH_SCOPES } from '../../core/access/principal.js';
import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';

const DEFAULT_USER = 'dev';

/**
 * Believes whoever calls: `x-dev-user` names the account, `dev` when absent, and `authorization` is not looked at.
 * For one's own machine alone; its principals have every scope and can still never trade live, being of kind `dev`.
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
