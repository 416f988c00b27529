/**
 * The machine's clock, timers, ids and digest: the defaults of `createStakeport`.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { sha256, systemClock, uuidV7 } from 'stakeport/system';
 *
 * console.log(systemClock.now(), uuidV7.next(), sha256('text'));
 * ```
 */

export { dayOfZone, localTime } from './local-time.js';
export { monotonic, nextTurn, sha256, systemClock, systemTimeline, uuidV7 } from './system.js';
