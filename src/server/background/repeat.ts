import type { Timeline } from '../../ports/system.js';

/**
 * Runs a task repeatedly: first after `firstMs`, then that long after the last run ended. The function returned stops it.
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
    plan(everyMs);
  };
  plan(firstMs);
  return () => {
    ended = true;
    callOff();
  };
}
