import type { Pause } from '../../../../ports/system.js';

/** Items of one turn of the process. */
const AT_ONCE = 50;

/** Does the work for one item after another, and yields to other work of the process in between. */
export async function inTurns<T>(
  items: Iterable<T>,
  pause: Pause | undefined,
  work: (item: T) => Promise<void> | undefined,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    await work(item);
    done += 1;
    if (done % AT_ONCE === 0) await pause?.();
  }
}
