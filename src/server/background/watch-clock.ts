import type { Logger } from 'pino';
import { repeat } from '../../core/concurrency/repeat.js';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { Timeline } from '../../ports/system.js';
import type { LiveVenue } from '../wiring/live-venue.js';

const EVERY_MS = 30_000;
/** The most that the clock may be off: beyond it the start of a game, the end of an order and the age of a price are wrong. */
const MOST_OFF_MS = 5000;

/** A venue with real money, and how far the machine's clock is off by its own. */
type Measured = Pick<LiveVenue, 'exchange' | 'clockOffMs' | 'measureClock'>;

/**
 * Reports while the machine's clock differs from that of a venue with real money. In doubt it measures each time, because only
 * what the venue has just answered is evidence. Once the clock is right, the last doubt is reported once more with the corrected
 * clock, so that the reported state ends soon however far ahead the clock was. A doubt from before the start, which `fromAhead`
 * reads, is treated alike. The function returned stops the watch.
 */
export function watchClock(
  timeline: Timeline,
  venues: readonly Measured[],
  report: (doubt: Doubt) => Promise<void>,
  fromAhead: () => Promise<Doubt | null>,
  logger: Logger,
): () => void {
  const doubts = new Map<Measured, Doubt>();
  let isFirst = true;
  const takeUp = async () => {
    const left = await fromAhead();
    isFirst = false;
    if (left !== null) for (const venue of venues) if (!doubts.has(venue)) doubts.set(venue, left);
  };
  const raise = (doubt: Doubt) =>
    report(doubt).catch((err: unknown) => {
      logger.error({ err }, 'could not put on record that the clock is off; retrying');
    });
  const isOff = ({ clockOffMs }: Measured) => Math.abs(clockOffMs()) > MOST_OFF_MS;
  const look = async (venue: Measured) => {
    const last = doubts.get(venue);
    if (last === undefined && !isOff(venue)) return;
    if (!(await venue.measureClock())) return;
    if (isOff(venue)) {
      const doubt = doubtOf(venue);
      doubts.set(venue, doubt);
      logger.error({ offMs: venue.clockOffMs() }, `${doubt.reason}; real money only lowers a worst case`);
      await raise(doubt);
    } else if (last !== undefined) {
      doubts.delete(venue);
      logger.info(`the clock of the machine agrees with that of ${venue.exchange.venue} again`);
      await raise(last);
    }
  };
  const lookAtAll = async () => {
    if (isFirst)
      await takeUp().catch((err: unknown) => {
        logger.error({ err }, 'could not read whether a clock was off before the start; retrying');
      });
    await Promise.all(venues.map(look));
  };
  return repeat(timeline, EVERY_MS, lookAtAll, { firstMs: 0 });
}

function doubtOf({ exchange, clockOffMs }: Measured): Doubt {
  const off = clockOffMs();
  const where = off > 0 ? 'behind' : 'ahead of';
  const reason = `The clock of the machine is ${Math.abs(off) / 1000} s ${where} that of ${exchange.venue}`;
  return { code: 'clock_off', reason };
}
