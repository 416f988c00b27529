/**
 * Loaded before the built server (`NODE_OPTIONS=--import`): its owner trusts a lease for an hour, so that only the database
 * can refuse it.
 */
import { AMONG_SERVERS } from '../../dist/server/background/lease-keeper.js';

export * from './program-modules.mjs';

AMONG_SERVERS.trustedMs = 3_600_000;
