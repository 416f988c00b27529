import type { Logger } from 'pino';
import type { Ledger } from '../../ports/ledger.js';
import type { SessionStore } from '../../ports/session-store.js';
import type { Clock } from '../../ports/system.js';

/** What expires by which clock; null keeps events for ever. */
export interface TidyTerms {
  readonly clock: Clock;
  /** The time of the markets: that of a tape where one is played. */
  readonly marketTime: Clock;
  readonly eventsKeepMs: number | null;
  readonly sessions: Pick<SessionStore, 'forgetEnded'>;
}

/**
 * Drops what has expired: idempotency keys, signals, sessions, and old events with
 * what webhooks did not take of them. A failure is logged, and stops nothing else.
 */
export async function tidy(
  ledger: Pick<Ledger, 'forgetExpiredRequests' | 'signals' | 'log' | 'endpoints'>,
  { clock, marketTime, eventsKeepMs, sessions }: TidyTerms,
  logger: Pick<Logger, 'debug' | 'error'>,
): Promise<void> {
  const now = clock.now();
  const drop = async (what: string, forget: () => Promise<number>) => {
    try {
      logger.debug({ forgotten: await forget() }, `dropped ${what}`);
    } catch (error) {
      logger.error({ err: error }, `could not drop ${what}`);
    }
  };
  await drop('expired idempotency keys', () => ledger.forgetExpiredRequests(now));
  await drop('expired signals', () => ledger.signals.forgetExpired(marketTime.now()));
  await drop('ended sessions', () => sessions.forgetEnded(now));
  if (eventsKeepMs === null) return;
  const oldest = new Date(now.getTime() - eventsKeepMs);
  await drop('old events', () => ledger.log.forget(oldest));
  await drop('deliveries that were given up', () => ledger.endpoints.deliveries.forgetGivenUp(oldest));
}
