import { monotonic } from '../../adapters/system/index.js';
import { isPlayed } from '../../core/concurrency/repeat.js';
import type { Timeline } from '../../ports/system.js';

/** How often readers check for what another process may have stored. */
const ELSEWHERE_MS = 1000;

/**
 * Makes readers that answer whether the record may have changed since they were last asked. In the time of the machine the answer
 * is always yes; in that of a tape, which may play an hour in a second, it is yes after a write of this process, or after a second.
 */
export function recordChanges(timeline: Timeline, writes: () => number): () => () => boolean {
  if (!isPlayed(timeline)) return () => () => true;
  return () => {
    let [known, at] = [Number.NaN, 0];
    return () => {
      const [now, moment] = [writes(), monotonic()];
      if (now === known && moment - at < ELSEWHERE_MS) return false;
      [known, at] = [now, moment];
      return true;
    };
  };
}
