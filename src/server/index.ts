import 'reflect-metadata';

export type { AccountListener } from '../ports/venue-wallet.js';
export type { OwnVenue } from './own-venues.js';
export { ConfigInvalid } from './settings/config.js';
export { type ServerOptions, type StartedServer, startServer } from './start-server.js';
