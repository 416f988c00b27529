import { hash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Digest, Ids, Stopwatch } from '../../ports/system.js';

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

/** UUIDv7, rising within this process even inside one millisecond. */
export const uuidV7: Ids = { next: () => v7() };

/** SHA-256 by Node's own implementation. */
export const sha256: Digest = (text) => hash('sha256', text, 'hex');
