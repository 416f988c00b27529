import type { PlayedTime } from '../../ports/played-time.js';
import type { InBackground, Timeline } from '../../ports/system.js';

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

/** From now to the first moment of the grid that is at least so far ahead. */
function untilGrid(timeline: PlayedTime, everyMs: number, leastMs: number): number {
  const earliest = timeline.now().getTime() - timeline.began.getTime() + leastMs;
  const past = earliest % everyMs;
  return past === 0 ? leastMs : leastMs + everyMs - past;
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

/** Work in the time of a feed goes on while its caller does; a tape stands still until it is done. */
export const backgroundOf = (timeline: Timeline): InBackground =>
  isPlayed(timeline)
    ? (work) => timeline.inBackground(work)
    : async (work) => {
        void work();
      };
