import { setTimeout as delay } from 'node:timers/promises';
import { ExponentialBackoff, handleWhen, retry } from 'cockatiel';
import type { Container } from 'inversify';
import type { Logger } from 'pino';
import { BookPaperExchange, PaperExchange } from '../../adapters/paper/index.js';
import { PaperElsewhere, StorageUnavailable } from '../../core/errors.js';
import type { OrderId } from '../../core/ids.js';
import { underLease } from '../../core/ledger/decision.js';
import type { LeaseInHand } from '../../core/ledger/lease.js';
import { replayUseCase, restoreUseCase, useCases } from '../../core/usecases/compose.js';
import type { RecoverOrders } from '../../core/usecases/orders/background/recover-orders.js';
import type { ReplayOrders } from '../../core/usecases/orders/background/replay-orders.js';
import type { LeftOut, RestoreOrders } from '../../core/usecases/orders/background/restore-orders.js';
import type { UseCasePorts } from '../../core/usecases/use-case-ports.js';
import type { Exchange, ReportSink } from '../../ports/exchange.js';
import type { Leases } from '../../ports/leases.js';
import type { MarketSource, PlayedTape } from '../wiring/market-source.js';
import { BOOKMARKS, LEDGER, USE_CASE_PORTS, VENUES } from '../wiring/tokens.js';

/** Paper trading for the duration of one lease: its own books, and the orders on record restored to them. */
export interface LeasedPaper {
  readonly exchange: BookPaperExchange;
  readonly returning: ReturningOrders;
}

/** What paper trading under a lease needs. */
export interface LeasedPaperParts {
  readonly container: Container;
  readonly source: MarketSource;
  readonly logger: Logger;
  readonly latencyMs: number;
}

/** Records nothing without a lease in hand; drops what waits for one once `ended` is aborted. */
export function openLeasedPaper(parts: LeasedPaperParts, inHand: () => LeaseInHand, ended: AbortSignal): LeasedPaper {
  const { container, source, logger, latencyMs } = parts;
  const exchange = new BookPaperExchange({
    markets: container.get(VENUES),
    timeline: source.timeline,
    latencyMs,
    lease: inHand,
    // A tape is played from its beginning: nothing of its books was taken before.
    ...(source.recorded === null && { ledger: container.get(LEDGER) }),
    sink: untilStored(async (order, report) => {
      await use.orders.recordReports.execute(order, report);
    }, ended),
    onFault: (error, { id }) => {
      if (!ended.aborted) logger.error({ err: error, order: id }, 'could not record what happened to an order');
    },
  });
  const ports = { ...portsOf(container, exchange), reports: underLease(container.get(LEDGER), inHand) };
  const use = useCases(ports);
  const restore = restoreUseCase(ports, use.orders, exchange);
  const replay = replayUseCase(ports, container.get(BOOKMARKS), exchange);
  return { exchange, returning: new ReturningOrders({ replay, restore, recover: use.orders.recover }, source, logger) };
}

/** Handles open orders from an earlier run with books, without any books, unless a server with books has them. */
export function returningWithoutBooks(
  { container, source, logger }: LeasedPaperParts,
  leases: Leases,
): ReturningOrders {
  const exchange = container.get(PaperExchange);
  const ports = portsOf(container, exchange);
  const { orders } = useCases(ports);
  const restore = restoreUseCase(ports, orders, exchange);
  const unlessElsewhere = async () => {
    if ((await leases.find('paper')) !== undefined) throw new PaperElsewhere();
  };
  const returning = {
    replay: null,
    restore: { execute: () => unlessElsewhere().then(() => restore.execute()) },
    recover: { execute: () => unlessElsewhere().then(() => orders.recover.execute()) },
  };
  return new ReturningOrders(returning, source, logger);
}

/** Restoring paper orders never touches one with real money. */
const portsOf = (container: Container, paper: Exchange): UseCasePorts => {
  const ports = container.get(USE_CASE_PORTS);
  return { ...ports, venues: ports.venues.onPaper(paper) };
};

/** How long after a failed attempt an order is tried again, in market time. */
const AGAIN_MS = 30_000;
/** How long a start waits for the orders on record: a source that hangs must not block the server. */
const AT_MOST_MS = 5000;

/** What a start does with the orders on record. */
export interface ReturningUseCases {
  /** Null where time is not replayed. */
  readonly replay: Pick<ReplayOrders, 'execute'> | null;
  readonly restore: Pick<RestoreOrders, 'execute'>;
  readonly recover: Pick<RecoverOrders, 'execute'>;
}

/**
 * Restores the orders on record after a start. None of them can prevent the start: a failure is logged and retried until it
 * works.
 */
export class ReturningOrders {
  readonly #plans = new Set<() => void>();
  readonly #logged = new Set<OrderId>();
  #loggedHomeless = false;
  #ended = false;
  /** Resolves once orders in flight are processed, or after five seconds; a start waits for it, unless a tape has to go on for them. */
  recovered = Promise.resolve();

  constructor(
    private readonly useCases: ReturningUseCases,
    private readonly source: MarketSource,
    private readonly logger: Logger,
  ) {}

  /**
   * Puts resting orders back, or, where the same time is replayed, lets them do again what they did before. Then the market
   * runs on, and orders in flight are processed. Returns from when a tape is played on, where it pauses until its source goes
   * on; null without a tape.
   * @throws what prevents playing a tape up to there; StorageUnavailable
   */
  async start(): Promise<Date | null> {
    const { recorded, timeline } = this.source;
    let from: Date | null = null;
    const { replay } = this.useCases;
    if (recorded === null || replay === null) await this.#soon(() => this.#restore());
    else {
      from = await replay.execute(recorded);
      this.#announce(recorded, from);
      // A task of the tape, so that the tape waits: resting orders are back before anything can happen to them.
      timeline.at(from, () => this.#untilDone(() => this.#restore()));
      await this.source.start(from);
    }
    this.recovered = this.#soon(() => this.#recover());
    if (from === null) await this.recovered;
    return from;
  }

  /** Nothing is retried or logged after this. */
  end(): void {
    this.#ended = true;
    for (const callOff of this.#plans) callOff();
  }

  #announce({ began, ended, speed }: PlayedTape, from: Date): void {
    if (from > ended) {
      const last = new Date(from.getTime() - 1).toISOString();
      this.logger.warn(
        `everything up to ${last} is on record, and the tape ends at ${ended.toISOString()}: nothing is left to trade; ` +
          'give each tape a DATABASE_URL of its own',
      );
    } else if (from > began) this.logger.info(`the tape goes on at ${from.toISOString()}`);
    if (speed === 'max' && this.source.begins === 'now')
      this.logger.warn(
        'TAPE_SPEED=max plays the whole tape at once, to strategies that are there already; TAPE_START=request waits for the first request',
      );
    void this.source.ended.then(() => {
      this.logger.info(`the tape has ended at ${ended.toISOString()}; nothing fills any more`);
    });
  }

  async #soon(attempt: () => Promise<boolean>): Promise<void> {
    await Promise.race([this.#untilDone(attempt), delay(AT_MOST_MS, undefined, { ref: false })]);
  }

  /** Resolves after the first attempt, which never throws. */
  async #untilDone(attempt: () => Promise<boolean>): Promise<void> {
    if (this.#ended || (await attempt()) || this.#ended) return;
    const { timeline } = this.source;
    const callOff = timeline.at(new Date(timeline.now().getTime() + AGAIN_MS), () => {
      this.#plans.delete(callOff);
      // Not awaited: orders in flight may have to wait for the tape.
      void this.#untilDone(attempt);
    });
    this.#plans.add(callOff);
  }

  #restore(): Promise<boolean> {
    const { hasBooks, recorded } = this.source;
    return this.#attempt(async () => {
      const { homeless, failures } = await this.useCases.restore.execute();
      if (homeless > 0 && !this.#loggedHomeless) {
        this.logger.warn(`${homeless} orders rest in markets that this source does not have; they can be cancelled`);
        this.#loggedHomeless = true;
      }
      this.#logFailures(failures);
      const mayComeYet = hasBooks && recorded === null ? homeless : 0;
      return failures.length + mayComeYet === 0;
    });
  }

  #recover(): Promise<boolean> {
    return this.#attempt(async () => {
      const { recovered, failures } = await this.useCases.recover.execute();
      if (recovered > 0) this.logger.warn({ orders: recovered }, 'processed orders that were in flight');
      this.#logFailures(failures);
      return failures.length === 0;
    });
  }

  async #attempt(attempt: () => Promise<boolean>): Promise<boolean> {
    try {
      return await attempt();
    } catch (error) {
      // Another server has them: not an error.
      if (!this.#ended && !(error instanceof PaperElsewhere))
        this.logger.error({ err: error }, 'could not restore the orders on record; retrying');
      return false;
    }
  }

  #logFailures(failures: readonly LeftOut[]): void {
    for (const { order, error } of failures) {
      if (this.#logged.has(order) || this.#ended) continue;
      this.#logged.add(order);
      this.logger.error({ err: error, order }, 'could not restore an order on record; retrying');
    }
  }
}

const patiently = retry(
  handleWhen((error) => error instanceof StorageUnavailable || error instanceof PaperElsewhere),
  { maxAttempts: Number.POSITIVE_INFINITY, backoff: new ExponentialBackoff({ initialDelay: 100, maxDelay: 5000 }) },
);

/**
 * A sink that retries while the store does not answer, or refuses because a lease was not renewed: what happened at a venue
 * has to be on record. Gives up once `ended` is aborted.
 */
export function untilStored(sink: ReportSink, ended?: AbortSignal): ReportSink {
  return (order, reports) => patiently.execute(() => sink(order, reports), ended);
}
