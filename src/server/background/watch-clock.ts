import type { Logger } from 'pino';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { Timeline } from '../../ports/system.js';
import type { LiveVenue } from '../wiring/live-venue.js';
import { repeat } from './repeat.js';

const EVERY_MS = 30_000;
/** From here on, the start of a game, the end of an order and the age of a price are not what they seem. */
const MOST_OFF_MS = 5000;

/** Reports while the machine's clock differs from that of a venue with real money. The function returned stops it. */
export function watchClock(
  timeline: Timeline,
  venues: readonly Pick<LiveVenue, 'exchange' | 'clockOffMs'>[],
  report: (doubt: Doubt) => Promise<void>,
  logger: Logger,
): () => void {
  return repeat(
    timeline,
    EVERY_MS,
    async () => {
      for (const { exchange, clockOffMs } of venues) {
        const off = clockOffMs();
        if (Math.abs(off) <= MOST_OFF_MS) continue;
        const where = off > 0 ? 'behind' : 'ahead of';
        const reason = `The clock of the machine is ${Math.abs(off) / 1000} s ${where} that of ${exchange.venue}`;
        logger.error({ offMs: off }, `${reason}; real money only lowers a worst case`);
        await report({ code: 'clock_off', reason }).catch((err: unknown) => {
          logger.error({ err }, 'could not put on record that the clock is off; retrying');
        });
      }
    },
    0,
  );
}
