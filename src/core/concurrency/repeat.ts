import type { PlayedTime } from '../../ports/played-time.js';
import type { Clock, InBackground, Timeline } from '../../ports/system.js';

/**
 * Runs a task repeatedly: first after `firstMs`, then that long after the last run ended. In the time of a tape it runs at moments of a
 * grid that begins with the tape, the first of them at once. Where it is not needed then, it does not run. The function returned stops it.
 */
export function repeat(
  timeline: Timeline,
  everyMs: number,
  task: () => Promise<unknown>,
  {
    firstMs = everyMs,
    isNeeded = () => true,
  }: { readonly firstMs?: number; readonly isNeeded?: (() => boolean) | undefined } = {},
): () => void {
  const work = async () => void (await task());
  if (isPlayed(timeline)) return timeline.every(everyMs, work, isNeeded);
  let callOff = () => {};
  let ended = false;
  const plan = (afterMs: number) => {
    if (!ended) callOff = timeline.at(new Date(timeline.now().getTime() + afterMs), run);
  };
  const run = async () => {
    if (isNeeded()) await task();
    plan(everyMs);
  };
  plan(firstMs);
  return () => {
    ended = true;
    callOff();
  };
}

/** Whether it is the time of a tape. */
export const isPlayed = (timeline: Clock): timeline is PlayedTime => 'reaching' in timeline;

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
