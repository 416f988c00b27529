import type { Timeline } from '../../ports/system.js';

/** The longest that the machine's timers take. */
const MOST_MS = 2 ** 31 - 1;

/** The machine's clock, and its timers; a moment that is far away is waited for in turns. */
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
