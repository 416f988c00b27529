import { hash } from 'node:crypto';
import type { Clock, Digest, Ids, Pause, Stopwatch } from '../../ports/system.js';
import { risingIds } from './rising-ids.js';

/** The machine's wall clock, in UTC, to the millisecond. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * The time that has passed since the process began.
 *
 * @example
 * ```ts
 * import { monotonic } from 'stakeport/system';
 *
 * const began = monotonic();
 * console.log(monotonic() - began, 'milliseconds');
 * ```
 */
export const monotonic: Stopwatch = () => performance.now();

/**
 * Goes on with the next turn of the event loop, after everything that is ready by then.
 *
 * @example
 * ```ts
 * import { nextTurn } from 'stakeport/system';
 *
 * await nextTurn();
 * ```
 */
export const nextTurn: Pause = () => new Promise((resolve) => setImmediate(resolve));

/** UUIDv7, rising within this process even inside one millisecond. */
export const uuidV7: Ids = risingIds(Date.now);

/** SHA-256 by Node's own implementation. */
export const sha256: Digest = (text) => hash('sha256', text, 'hex');
