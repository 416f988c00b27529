/**
 * The HTTP API as a Koa app, for a server of your own, and who may call it: by API keys, access tokens, sessions, or a header
 * for development. `stakeport/server` is the whole server.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { ApiKeyAuthenticator } from 'stakeport/http';
 * import { MemoryLedger, systemClock } from 'stakeport/memory';
 *
 * const authenticator = new ApiKeyAuthenticator(new MemoryLedger(), 'a pepper of your own', systemClock);
 * await authenticator.authenticate({ authorization: 'Bearer sp_…', devUser: undefined });
 * ```
 */

export * from './adapters/auth/index.js';
export * from './adapters/http/index.js';
