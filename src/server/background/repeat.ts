import { monotonic } from '../../adapters/system/index.js';
import { lastFullInterval } from '../../core/account/portfolio.js';
import type { PlayedTime } from '../../ports/played-time.js';
import type { Timeline } from '../../ports/system.js';

/**
 * Runs a task repeatedly: first after `firstMs`, then that long after the last run ended. In the time of a tape it runs at moments of a
 * grid that begins with the tape, the first of them at once: they do not depend on when, or how fast, it is played. The function
 * returned stops it.
 */
export function repeat(
  timeline: Timeline,
  everyMs: number,
  task: () => Promise<unknown>,
  firstMs = everyMs,
): () => void {
  let callOff = () => {};
  let ended = false;
  const plan = (afterMs: number) => {
    if (!ended) callOff = timeline.at(new Date(timeline.now().getTime() + afterMs), run);
  };
  const run = async () => {
    await task();
    plan(isPlayed(timeline) ? untilGrid(timeline, everyMs, 1) : everyMs);
  };
  plan(isPlayed(timeline) ? untilGrid(timeline, everyMs, 0) : firstMs);
  return () => {
    ended = true;
    callOff();
  };
}

/** Whether it is the time of a tape. */
export const isPlayed = (timeline: Timeline): timeline is PlayedTime => 'reaching' in timeline;

/** The milliseconds from now to the first moment of the grid that is at least so far ahead. */
function untilGrid(timeline: PlayedTime, everyMs: number, leastMs: number): number {
  const since = timeline.now().getTime() - timeline.began.getTime();
  return Math.ceil((since + leastMs) / everyMs) * everyMs - since;
}

/** Schedules a task that may also be run at any time: it runs at the moment it last passed to `plan`, and never after null. */
export function untilNext(timeline: Timeline, task: (plan: (next: Date | null) => void) => Promise<void>) {
  let callOff = () => {};
  let ended = false;
  const plan = (next: Date | null) => {
    callOff();
    if (next !== null && !ended) callOff = timeline.at(next, run);
  };
  const run = (): Promise<void> => task(plan);
  const end = (): void => {
    ended = true;
    callOff();
  };
  return { run, end };
}

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

/**
 * A timeline whose tasks are scheduled on full intervals: the last one up to the requested moment. No task runs
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
