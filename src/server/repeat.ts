import type { Timeline } from '../ports/system.js';

/** Runs a task again and again, each time so long after the last one ended; the answer ends it. */
export function repeat(timeline: Timeline, everyMs: number, task: () => Promise<void>): () => void {
  let callOff = () => {};
  let ended = false;
  const plan = () => {
    if (!ended) callOff = timeline.at(new Date(timeline.now().getTime() + everyMs), run);
  };
  const run = async () => {
    await task();
    plan();
  };
  plan();
  return () => {
    ended = true;
    callOff();
  };
}
