import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { PaperElsewhere } from '../../core/errors.js';
import type { OrderId } from '../../core/ids.js';
import type { RecoverOrders } from '../../core/usecases/orders/background/recover-orders.js';
import type { ReplayOrders } from '../../core/usecases/orders/background/replay-orders.js';
import type { LeftOut, RestoreOrders } from '../../core/usecases/orders/background/restore-orders.js';
import type { MarketSource, PlayedTape } from '../wiring/market-source.js';

/** How long after an order could not be looked after it is tried again, in the time of the market. */
const AGAIN_MS = 30_000;
/** How long a start waits for them: a source that hangs must not keep the server from serving. */
const AT_MOST_MS = 5000;

/** What a start does for orders on record. */
export interface ReturningUseCases {
  /** Null where time only goes on. */
  readonly replay: Pick<ReplayOrders, 'execute'> | null;
  readonly restore: Pick<RestoreOrders, 'execute'>;
  readonly recover: Pick<RecoverOrders, 'execute'>;
}

/**
 * Brings the orders on record back after a start. None of them can keep the server from starting: what fails is told to the
 * log, and tried again until it is done.
 */
export class ReturningOrders {
  readonly #plans = new Set<() => void>();
  readonly #told = new Set<OrderId>();
  #toldOfHomeless = false;
  #ended = false;

  constructor(
    private readonly useCases: ReturningUseCases,
    private readonly source: MarketSource,
    private readonly logger: Logger,
  ) {}

  /**
   * What rested takes its place again, or, where the same time is played again, does there what it did before; then the
   * market goes on, and what was on its way is looked after. Tells from when a tape is played on; null without a tape.
   * @throws what keeps a tape from being played to there; StorageUnavailable
   */
  async start(): Promise<Date | null> {
    const { recorded, timeline } = this.source;
    let from: Date | null = null;
    const { replay } = this.useCases;
    if (recorded === null || replay === null) await this.#soon(() => this.#restore());
    else {
      from = await replay.execute(recorded);
      this.#announce(recorded, from);
      // A task of the tape, so that it waits: what rested before its time is back before anything happens to it.
      timeline.at(from, () => this.#untilDone(() => this.#restore()));
      await this.source.start(from);
    }
    await this.#soon(() => this.#recover());
    return from;
  }

  /** Nothing is tried again after this, and nothing told. */
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
    if (speed === 'max') this.logger.warn('TAPE_SPEED=max plays the whole tape at once: nothing is left to trade');
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
      // Not waited for: what was on its way may have to wait for the tape.
      void this.#untilDone(attempt);
    });
    this.#plans.add(callOff);
  }

  #restore(): Promise<boolean> {
    const { hasBooks, recorded } = this.source;
    return this.#attempt(async () => {
      const { homeless, failures } = await this.useCases.restore.execute();
      if (homeless > 0 && !this.#toldOfHomeless) {
        this.logger.warn(`${homeless} orders rest in markets that this source does not have; they can be cancelled`);
        this.#toldOfHomeless = true;
      }
      this.#tell(failures);
      const mayComeYet = hasBooks && recorded === null ? homeless : 0;
      return failures.length + mayComeYet === 0;
    });
  }

  #recover(): Promise<boolean> {
    return this.#attempt(async () => {
      const { recovered, failures } = await this.useCases.recover.execute();
      if (recovered > 0) this.logger.warn({ orders: recovered }, 'looked after orders that were on their way');
      this.#tell(failures);
      return failures.length === 0;
    });
  }

  async #attempt(attempt: () => Promise<boolean>): Promise<boolean> {
    try {
      return await attempt();
    } catch (error) {
      // Another server has them: nothing is wrong.
      if (!this.#ended && !(error instanceof PaperElsewhere))
        this.logger.error({ err: error }, 'could not look after the orders on record; it is tried again');
      return false;
    }
  }

  #tell(failures: readonly LeftOut[]): void {
    for (const { order, error } of failures) {
      if (this.#told.has(order) || this.#ended) continue;
      this.#told.add(order);
      this.logger.error({ err: error, order }, 'an order on record could not be looked after; it is tried again');
    }
  }
}
