import { lastFullInterval } from '../../core/account/portfolio.js';
import type { Timeline } from '../../ports/system.js';

/**
 * The same timeline, but tasks are scheduled on full intervals only: the last one up to the requested moment. No task runs
 * before its moment, though a machine's timer may be a millisecond early.
 */
export function inFullIntervals(timeline: Timeline, everyMs: number): Timeline {
  return {
    now: () => timeline.now(),
    at: (moment, task) => notBefore(timeline, lastFullInterval(moment, everyMs), task),
  };
}

function notBefore(timeline: Timeline, moment: Date, task: () => void | Promise<void>): () => void {
  const run = () => {
    if (timeline.now() >= moment) return task();
    callOff = timeline.at(moment, run);
  };
  let callOff = timeline.at(moment, run);
  return () => callOff();
}
