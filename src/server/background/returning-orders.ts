import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PaperElsewhere } from '../../core/errors.js';
import type { OrderId } from '../../core/ids.js';
import type { RecoverOrders } from '../../core/usecases/orders/background/recover-orders.js';
import type { ReplayOrders } from '../../core/usecases/orders/background/replay-orders.js';
import type { LeftOut, RestoreOrders } from '../../core/usecases/orders/background/restore-orders.js';
import type { MarketSource, PlayedTape } from '../wiring/market-source.js';

/** How long after a failed attempt an order is tried again, in market time. */
const AGAIN_MS = 30_000;
/** How long a start waits for them: a source that hangs must not block the server. */
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
   * runs on, and orders in flight are processed. Returns from when a tape is played on, where it stands until its source is
   * told to go on; null without a tape.
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
