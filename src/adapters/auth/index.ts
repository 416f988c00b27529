/**
 * Authenticates callers of your own HTTP API: by API keys, access tokens, both, or a header for development.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { ApiKeyAuthenticator } from 'stakeport/auth';
 * import { MemoryLedger } from 'stakeport/memory';
 * import { systemClock } from 'stakeport/system';
 *
 * const authenticator = new ApiKeyAuthenticator(new MemoryLedger(), 'a pepper of your own', systemClock);
 * await authenticator.authenticate({ authorization: 'Bearer sp_…', devUser: undefined });
 * ```
 */

export { ApiKeyAuthenticator } from './api-key-authenticator.js';
export { CombinedAuthenticator } from './combined-authenticator.js';
export { DevAuthenticator } from './dev-authenticator.js';
export { JwtAuthenticator, type TokenIssuer } from './jwt-authenticator.js';
export { RandomKeyMaker, RandomSessionSecrets } from './random-secrets.js';
export { RecentKeys } from './recent-keys.js';
export { RecentSessions } from './recent-sessions.js';
export { SessionAuthenticator, type SessionParts } from './session-authenticator.js';
