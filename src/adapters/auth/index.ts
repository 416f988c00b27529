export { ApiKeyAuthenticator } from './api-key-authenticator.js';
export { CombinedAuthenticator } from './combined-authenticator.js';
export { DevAuthenticator } from './dev-authenticator.js';
export { JwtAuthenticator, type TokenIssuer } from './jwt-authenticator.js';
export { RandomKeyMaker, RandomSessionSecrets } from './random-secrets.js';
export { RecentKeys } from './recent-keys.js';
export { RecentSessions } from './recent-sessions.js';
export { SessionAuthenticator, type SessionParts } from './session-authenticator.js';
