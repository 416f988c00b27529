import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { systemTimeline } from '../../adapters/system/index.js';
import { lastFullInterval } from '../../core/account/portfolio.js';
import { isPlayed, repeat } from '../../core/concurrency/repeat.js';
import { WATCH_EVERY_MS } from '../../core/usecases/limits/background/watch-losses.js';
import { PRICES_EVERY_MS } from '../../core/usecases/markets/background/record-prices.js';
import { SETTLE_EVERY_MS } from '../../core/usecases/markets/background/settle-results.js';
import type { Timeline } from '../../ports/system.js';
import type { Config } from '../settings/config.js';
import { CLOCK, LEDGER, SESSION_STORE, USE_CASES } from '../wiring/tokens.js';
import { LossWatcher } from './loss-watcher.js';
import type { ResultBooking } from './result-booking.js';
import type { TapeBookmark } from './tape-bookmark.js';
import { tidy } from './tidy.js';

const HOUSEKEEPING_MS = 60 * 60 * 1000;

/** Starts something once market time has begun. The returned function stops or prevents it. */
export function onceBegun(begun: Promise<void>, start: () => () => void): () => void {
  let ended = false;
  let end = () => {};
  void begun.then(() => {
    if (!ended) end = start();
  });
  return () => {
    ended = true;
    end();
  };
}

/** What this server does of the work that is done once for all servers; asked each time. */
interface Duties {
  readonly work: () => boolean;
  readonly watch: () => boolean;
  /** Makes readers that answer whether the record may have changed since they were asked. */
  readonly changes: () => () => boolean;
}

/**
 * Runs the periodic work: watches the losses of accounts, drops what has expired, books results, samples
 * account equity, and records how far a tape was played. Idle while it `may` not. The function returned stops it.
 */
export function startBackground(
  container: Container,
  { equityEveryMs, eventsKeepMs }: Pick<Config, 'equityEveryMs' | 'eventsKeepMs'>,
  timeline: Timeline,
  logger: Logger,
  results: Pick<ResultBooking, 'run'>,
  bookmark: TapeBookmark | null = null,
  may: Duties = { work: () => true, watch: () => true, changes: () => () => true },
): () => void {
  const terms = {
    clock: container.get(CLOCK),
    marketTime: timeline,
    eventsKeepMs,
    sessions: container.get(SESSION_STORE),
  };
  const housekeeping = setInterval(() => void tidy(container.get(LEDGER), terms, logger), HOUSEKEEPING_MS);
  const endForgetting = repeat(timeline, HOUSEKEEPING_MS, () => forgetFirstPrices(container, logger));
  const endSettling = repeat(timeline, SETTLE_EVERY_MS, async () => may.work() && results.run(), { firstMs: 0 });
  const endRecording = repeat(inFullIntervals(timeline, PRICES_EVERY_MS), PRICES_EVERY_MS, async () => {
    if (may.watch()) await recordPrices(container, logger);
  });
  const watch = new LossWatcher(container.get(USE_CASES).limits.watch, logger);
  const isChanged = may.changes();
  const endWatching = repeat(isPlayed(timeline) ? timeline : systemTimeline, WATCH_EVERY_MS, async () => {
    if (!may.watch()) return;
    const mayBeLimited = isChanged();
    if (!mayBeLimited && watch.isIdle) return;
    const looking = watch.look();
    // No account waits for another one. A tape waits for all of them.
    if (isPlayed(timeline)) await looking;
  });
  // No equity point is later than the bookmark, so a restart never replays from before one.
  const sample = async (everyMs: number) => {
    if (!may.work()) return;
    await bookmark?.set();
    await sampleEquity(container, everyMs, logger);
  };
  const endSampling =
    equityEveryMs === null
      ? () => {}
      : repeat(inFullIntervals(timeline, equityEveryMs), equityEveryMs, () => sample(equityEveryMs));
  const endBookmarks =
    bookmark === null ? () => {} : repeat(timeline, bookmark.everyMs, async () => may.work() && bookmark.set());
  return () => {
    clearInterval(housekeeping);
    endForgetting();
    endRecording();
    endWatching();
    endSettling();
    endSampling();
    endBookmarks();
  };
}

/** Forgets first prices by the time of the markets: bets on a tape must not depend on when an hour of the machine is over. */
async function forgetFirstPrices(container: Container, logger: Logger): Promise<void> {
  try {
    const forgotten = await container.get(USE_CASES).strategies.forgetFirstPrices.execute();
    logger.debug({ forgotten }, 'dropped first prices of markets that are over');
  } catch (error) {
    logger.error({ err: error }, 'could not drop first prices of markets that are over');
  }
}

/** Of the server that has the books. */
async function recordPrices(container: Container, logger: Logger): Promise<void> {
  try {
    const recorded = await container.get(USE_CASES).markets.recordPrices.execute();
    logger.debug({ recorded }, 'recorded the prices of markets');
  } catch (error) {
    logger.error({ err: error }, 'could not record the prices of markets; the minute is lost');
  }
}

async function sampleEquity(container: Container, everyMs: number, logger: Logger): Promise<void> {
  try {
    const { stored, skipped, failures } = await container.get(USE_CASES).accounts.sampleEquity.execute(everyMs);
    logger.debug({ stored, skipped }, 'recorded account equity');
    for (const { account, paper, error } of failures) {
      logger.error({ err: error, account, paper }, 'could not record the equity of an account');
    }
  } catch (error) {
    logger.error({ err: error }, 'could not record account equity; retrying at the next interval');
  }
}

/**
 * A timeline whose tasks are scheduled on full intervals: the last one up to the requested moment. No task runs
 * before its moment, though a machine's timer may be a millisecond early.
 */
export function inFullIntervals(timeline: Timeline, everyMs: number): Timeline {
  return {
    now: () => timeline.now(),
    at: (moment, task) => notBefore(timeline, lastFullInterval(moment, everyMs), task),
  };
}

function notBefore(timeline: Timeline, moment: Date, task: () => void | Promise<void>): () => void {
  const run = () => {
    if (timeline.now() >= moment) return task();
    callOff = timeline.at(moment, run);
  };
  let callOff = timeline.at(moment, run);
  return () => callOff();
}
