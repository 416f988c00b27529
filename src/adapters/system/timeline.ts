import type { Timeline } from '../../ports/system.js';

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
