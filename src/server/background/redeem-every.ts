import type { Logger } from 'pino';
import type { RedeemPositions } from '../../core/usecases/accounts/background/redeem-positions.js';
import type { Timeline } from '../../ports/system.js';
import { repeat } from './repeat.js';

/** The venue is asked about each redeemable outcome, and a person has to redeem it first. */
const EVERY_MS = 5 * 60 * 1000;

/** Books new redemptions at once and then periodically. The function returned stops it. */
export function redeemEvery(
  timeline: Timeline,
  positions: Pick<RedeemPositions, 'execute'>,
  logger: Logger,
  everyMs = EVERY_MS,
): () => void {
  const redeem = async () => {
    try {
      const redeemed = await positions.execute();
      if (redeemed > 0) logger.info({ positions: redeemed }, 'booked redeemed positions');
    } catch (error) {
      logger.error({ err: error }, 'could not book redeemed positions; retrying');
    }
  };
  return repeat(timeline, everyMs, redeem, 0);
}
