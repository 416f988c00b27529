import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Timeline } from '../../ports/system.js';
import type { Config } from '../settings/config.js';
import { CLOCK, LEDGER, USE_CASES } from '../wiring/tokens.js';
import type { TapeBookmark } from './bookmark.js';
import { inFullIntervals } from './full-intervals.js';
import { repeat } from './repeat.js';

const HOUSEKEEPING_MS = 60 * 60 * 1000;
/** How often the results of markets in use are looked for. */
const SETTLE_EVERY_MS = 30_000;

/** Starts something once market time has begun, which it has where nobody waits for a tape; the answer ends it, or keeps it from starting. */
export function onceBegun(waiting: { readonly begun: Promise<void> } | null, start: () => () => void): () => void {
  let ended = false;
  let end = () => {};
  void Promise.resolve(waiting?.begun).then(() => {
    if (!ended) end = start();
  });
  return () => {
    ended = true;
    end();
  };
}

/**
 * Does what nobody asks for: forgets what has expired, books results, keeps the history of worth, and how far a tape was
 * played; but not while `mayWork` is false. The answer ends it.
 */
export function startBackground(
  container: Container,
  { equityEveryMs }: Pick<Config, 'equityEveryMs'>,
  timeline: Timeline,
  logger: Logger,
  bookmark: TapeBookmark | null = null,
  mayWork: () => boolean = () => true,
): () => void {
  const housekeeping = setInterval(() => void tidy(container, logger), HOUSEKEEPING_MS);
  const endSettling = repeat(timeline, SETTLE_EVERY_MS, async () => mayWork() && settle(container, logger), 0);
  // A point is never later than the bookmark, so that no start goes back behind one.
  const sample = async (everyMs: number) => {
    if (!mayWork()) return;
    await bookmark?.set();
    await sampleEquity(container, everyMs, logger);
  };
  const endSampling =
    equityEveryMs === null
      ? () => {}
      : repeat(inFullIntervals(timeline, equityEveryMs), equityEveryMs, () => sample(equityEveryMs));
  const endBookmarks =
    bookmark === null ? () => {} : repeat(timeline, bookmark.everyMs, async () => mayWork() && bookmark.set());
  return () => {
    clearInterval(housekeeping);
    endSettling();
    endSampling();
    endBookmarks();
  };
}

async function settle(container: Container, logger: Logger): Promise<void> {
  try {
    const settled = await container.get(USE_CASES).markets.settleResults.execute();
    if (settled > 0) logger.info({ orders: settled }, 'settled orders');
  } catch (error) {
    logger.error({ err: error }, 'could not settle results; they are looked for again');
  }
}

async function sampleEquity(container: Container, everyMs: number, logger: Logger): Promise<void> {
  try {
    const { stored, skipped, failures } = await container.get(USE_CASES).accounts.sampleEquity.execute(everyMs);
    logger.debug({ stored, skipped }, 'put on record what accounts are worth');
    for (const { account, paper, error } of failures) {
      logger.error({ err: error, account, paper }, 'could not put on record what an account is worth');
    }
  } catch (error) {
    logger.error({ err: error }, 'could not put on record what accounts are worth; the next time comes');
  }
}

async function tidy(container: Container, logger: Logger): Promise<void> {
  try {
    const forgotten = await container.get(LEDGER).forgetExpiredRequests(container.get(CLOCK).now());
    logger.debug({ forgotten }, 'forgot expired idempotency keys');
  } catch (error) {
    logger.error({ err: error }, 'could not forget expired idempotency keys');
  }
}
