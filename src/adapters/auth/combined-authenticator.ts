import type { Authentication, Authenticator, Credentials } from '../../ports/authenticator.js';
import { API_KEY_PREFIX, bearerToken } from './api-key-authenticator.js';

/**
 * API keys and access tokens side by side. The shape of the token alone selects its authenticator, and that answer stands: a
 * token that one refuses is never tried with the other.
 *
 * @example
 * ```ts
 * import { ApiKeyAuthenticator, CombinedAuthenticator, JwtAuthenticator } from 'stakeport/http';
 * import { MemoryLedger, systemClock } from 'stakeport/memory';
 *
 * const trusted = { issuer: 'https://id.example', audience: 'stakeport', jwksUrl: new URL('https://id.example/jwks') };
 * const keys = new ApiKeyAuthenticator(new MemoryLedger(), 'a pepper of your own', systemClock);
 * const authenticator = new CombinedAuthenticator(keys, new JwtAuthenticator(trusted, systemClock));
 * ```
 */
export class CombinedAuthenticator implements Authenticator {
  constructor(
    private readonly apiKeys: Authenticator,
    private readonly accessTokens: Authenticator,
  ) {}

  authenticate(credentials: Credentials): Promise<Authentication> {
    const token = bearerToken(credentials.authorization ?? '');
    const judge = token?.startsWith(API_KEY_PREFIX) === true ? this.apiKeys : this.accessTokens;
    return judge.authenticate(credentials);
  }
}
