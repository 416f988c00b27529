import type { Logger } from 'pino';
import type { RedeemPositions } from '../../core/usecases/accounts/background/redeem-positions.js';
import type { Timeline } from '../../ports/system.js';
import { repeat } from './repeat.js';

/** The venue is asked about each outcome that may be redeemed, and a person has to redeem it first. */
const EVERY_MS = 5 * 60 * 1000;

/** Books again and again what was redeemed meanwhile, at once at first; the answer ends it. */
export function redeemEvery(
  timeline: Timeline,
  positions: Pick<RedeemPositions, 'execute'>,
  logger: Logger,
  everyMs = EVERY_MS,
): () => void {
  const redeem = async () => {
    try {
      const redeemed = await positions.execute();
      if (redeemed > 0) logger.info({ positions: redeemed }, 'booked what was redeemed');
    } catch (error) {
      logger.error({ err: error }, 'could not book what was redeemed; it is looked for again');
    }
  };
  return repeat(timeline, everyMs, redeem, 0);
}
