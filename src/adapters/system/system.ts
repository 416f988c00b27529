import { hash, randomUUID } from 'node:crypto';
import type { Clock, Digest, Ids, Pause, Stopwatch, Timeline } from '../../ports/system.js';

/** All of 26 bits. */
const MOST = 0x3ff_ffff;

/**
 * UUIDv7 (RFC 9562, 5.7), each greater than the one before, also inside one millisecond and when the clock is set back: 26
 * bits count up to `most`, from a random number below half of it, and 48 bits are random. `now` in milliseconds since 1970.
 */
export function risingIds(now: () => number, most = MOST): Ids {
  let moment = Number.NEGATIVE_INFINITY;
  let count = 0;
  let beginning = '';
  return {
    next() {
      // Node draws the randomness of many of these at once, from the same secure source.
      const random = randomUUID();
      const at = Math.max(now(), count < most ? moment : moment + 1);
      if (at > moment) {
        moment = at;
        count = Number.parseInt(random.slice(0, 8), 16) & (most >>> 1);
        const time = at.toString(16).padStart(12, '0');
        beginning = `${time.slice(0, 8)}-${time.slice(8)}-7`;
      } else count += 1;
      const upper = (0x1000 | (count >>> 14)).toString(16).slice(1);
      const lower = (0x8000 | (count & 0x3fff)).toString(16);
      return `${beginning}${upper}-${lower}${random.slice(23)}`;
    },
  };
}

/** The machine's wall clock, in UTC, to the millisecond. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * The time that has passed since the process began.
 *
 * @example
 * ```ts
 * import { monotonic } from 'stakeport/memory';
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
 * import { nextTurn } from 'stakeport/memory';
 *
 * await nextTurn();
 * ```
 */
export const nextTurn: Pause = () => new Promise((resolve) => setImmediate(resolve));

/**
 * As `nextTurn`, but of all that waits here one goes on in a turn, in the order in which it came: however much there is of such work,
 * all else that the process does waits for one piece of it.
 */
export function onePerTurn(): Pause {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });
}

/** UUIDv7, rising within this process even inside one millisecond. */
export const uuidV7: Ids = risingIds(Date.now);

/** SHA-256 by Node's own implementation. */
export const sha256: Digest = (text) => hash('sha256', text, 'hex');

/** The longest delay of the machine's timers. */
const MOST_MS = 2 ** 31 - 1;

/** The machine's clock and timers; a long wait is split into several timers. */
export const systemTimeline: Timeline = {
  now: () => new Date(),
  at(moment, task) {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const left = moment.getTime() - Date.now();
      timer = setTimeout(() => (left > MOST_MS ? wait() : void task()), Math.min(Math.max(left, 0), MOST_MS));
    };
    wait();
    return () => clearTimeout(timer);
  },
};
