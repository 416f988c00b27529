/**
 * The program of the server (see bundle-programs.mjs) whose owner trusts a lease for an hour, so that only the database can
 * refuse it.
 */
import { AMONG_SERVERS } from '../../dist/server/background/lease-keeper.js';

export * from './program-modules.mjs';

AMONG_SERVERS.trustedMs = 3_600_000;
