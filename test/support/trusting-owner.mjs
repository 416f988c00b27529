/**
 * Loaded before the built server (`NODE_OPTIONS=--import`): its owner trusts a lease for an hour, so that only the database
 * can refuse it.
 */
import './unbundled.mjs';
import { AMONG_SERVERS } from '../../dist/server/background/lease-keeper.js';

AMONG_SERVERS.trustedMs = 3_600_000;
