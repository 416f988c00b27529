/**
 * The server, started from a program.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { startServer } from 'stakeport/server';
 *
 * const server = await startServer({ env: { DATABASE_URL: 'memory:', PORT: '0' } });
 * console.log(server.url);
 * await server.close();
 * ```
 */

export type { AccountListener } from '../ports/venue-adapter.js';
export type { OwnVenue } from './own-venues.js';
export type { Environment } from './settings/config.js';
export { ConfigInvalid } from './settings/config-invalid.js';
export type { Mistake } from './settings/review.js';
export { type ServerOptions, type StartedServer, startServer } from './start-server.js';
