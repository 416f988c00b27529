export { ApiKeyAuthenticator } from './api-key-authenticator.js';
export { CombinedAuthenticator } from './combined-authenticator.js';
export { DevAuthenticator } from './dev-authenticator.js';
export { JwtAuthenticator, type TokenIssuer } from './jwt-authenticator.js';
export { RandomKeyMaker } from './key-maker.js';
