import type { Container } from 'inversify';
import type { Logger } from 'pino';
import type { Metrics } from '../../adapters/http/index.js';
import { repeat } from '../../core/concurrency/repeat.js';
import type { Order } from '../../core/order/order.js';
import type { RedeemPositions } from '../../core/usecases/accounts/background/redeem-positions.js';
import type { Doubt } from '../../core/usecases/trading/background/reduce-for-now.js';
import type { Timeline } from '../../ports/system.js';
import { metric } from '../metrics/own-metrics.js';
import type { LiveVenue } from '../wiring/live-venue.js';
import { BOOKMARKS, LEDGER, LIVE_USE_CASES, USE_CASES } from '../wiring/tokens.js';
import { troubleOf } from './alarm-watch.js';
import { LiveWork } from './live-work.js';
import { watchClock } from './watch-clock.js';

const UNRECONCILED = 'the orders on record were not reconciled with the venue for five minutes';

/** The background work of all venues with real money, as one. */
export class LiveVenues {
  readonly #works: readonly LiveWork[];
  #endRedeeming = () => {};
  #endWatchingClock = () => {};

  constructor(
    private readonly container: Container,
    private readonly venues: readonly LiveVenue[],
    private readonly timeline: Timeline,
    private readonly logger: Logger,
  ) {
    const [ledger, bookmarks] = [container.get(LEDGER), container.get(BOOKMARKS)];
    this.#works = venues.map((venue) => {
      const useCases = { ...container.get(LIVE_USE_CASES)(venue.exchange), ledger, bookmarks };
      return new LiveWork(venue, useCases, timeline, logger);
    });
  }

  /** Reports to the metrics: the worst of several venues. */
  watch(metrics: Metrics): void {
    if (this.#works.length === 0) return;
    const unknown = () => this.#works.reduce((sum, work) => sum + work.unknownOrders, 0);
    metrics.watch(...metric('stakeport_unknown_orders'), unknown);
    const swept = () => Math.max(...this.#works.map((work) => work.sinceSweepSeconds));
    metrics.watch(...metric('stakeport_reconciled_age_seconds'), swept);
  }

  /** Orders with real money whose outcome was unknown at the last look. */
  get unknown(): readonly Order[] {
    return this.#works.flatMap((work) => work.unknown);
  }

  /** Venues whose orders were not reconciled with the record for too long, also since the start. */
  get late(): readonly string[] {
    return this.#works.filter((work) => work.isLate).map((work) => work.venueName);
  }

  /** Why this server should get no requests; null while there is no reason. */
  get doubt(): string | null {
    return this.#works.some((work) => work.isStale) ? UNRECONCILED : null;
  }

  /** Resolves once each venue is fully reconciled with its record. @throws what one of them throws */
  async start(): Promise<void> {
    const { trading, alarms } = this.container.get(USE_CASES);
    const report = async (doubt: Doubt) => {
      await trading.reduceForNow.execute(doubt);
      await alarms.raise.report(troubleOf(doubt));
    };
    if (this.venues.length > 0)
      this.#endWatchingClock = watchClock(
        this.timeline,
        this.venues,
        report,
        () => trading.reduceForNow.fromAhead('clock_off'),
        this.logger,
      );
    await Promise.all(this.#works.map((work) => work.start()));
  }

  /** Starts booking redemptions. */
  redeem(): void {
    const [first] = this.venues;
    if (first === undefined) return;
    const { redeem } = this.container.get(LIVE_USE_CASES)(first.exchange);
    this.#endRedeeming = redeemEvery(this.timeline, redeem, this.logger);
  }

  /** Starts nothing new. */
  end(): void {
    this.#endRedeeming();
    this.#endWatchingClock();
    for (const work of this.#works) work.end();
  }

  /** Waits for the work in progress, then disconnects from the venues. */
  async close(): Promise<void> {
    this.end();
    await Promise.all(this.#works.map((work) => work.close()));
  }
}

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
  return repeat(timeline, everyMs, redeem, { firstMs: 0 });
}
