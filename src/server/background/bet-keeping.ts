import type { Logger } from 'pino';
import { systemTimeline } from '../../adapters/system/index.js';
import { repeat } from '../../core/concurrency/repeat.js';
import type { CloseBets } from '../../core/usecases/bets/background/close-bets.js';
import { KEEP_EVERY_MS, type KeepAllBets } from '../../core/usecases/bets/background/keep-all-bets.js';

/** Turns from one look to the next while nothing is written: what another server left when it ended is taken up then. */
const QUIET_TURNS = 60;

/**
 * The same while orders come: so much later they have their bets, unless one turn goes by without a write. Whoever reads bets brings them
 * up to the log first, and the bets of a hundred orders take little longer than those of a few.
 */
const BUSY_TURNS = 5;

/**
 * Makes bets of what happened to orders, soon after it is on record; no order waits for it. Of several servers each takes up what it
 * wrote itself; where two make the same change, one is stored.
 */
export class BetKeeping {
  readonly #turns = new Turns(() => this.look());
  #mayRun = true;
  #isFailing = false;
  #isDone = false;
  /** The writes that the last look knew of, those before this turn, and the turns since that look. */
  #looked = -1;
  #seen = -1;
  #turn = 0;

  /** @param writes counts the writes of this server */
  constructor(
    private readonly keepAll: Pick<KeepAllBets, 'execute'>,
    private readonly writes: () => number,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#turns.start();
  }

  /** One turn, where there may be something to do. Never throws. */
  async look(): Promise<void> {
    const writes = this.writes();
    if (this.#isDone && this.#mayWait(writes)) return;
    [this.#looked, this.#seen, this.#turn] = [writes, writes, 0];
    try {
      const { isDone, failures } = await this.keepAll.execute(() => this.#mayRun);
      this.#isDone = isDone;
      for (const { account, error } of failures) this.#fails(error, account);
      this.#isFailing = failures.length > 0;
    } catch (error) {
      this.#isDone = false;
      this.#fails(error, null);
      this.#isFailing = true;
    }
  }

  #mayWait(writes: number): boolean {
    const isBusy = writes !== this.#seen;
    this.#seen = writes;
    this.#turn += 1;
    if (writes === this.#looked) return this.#turn < QUIET_TURNS;
    return isBusy && this.#turn < BUSY_TURNS;
  }

  /** Begins nothing any more, and resolves once nothing is under way. */
  async close(): Promise<void> {
    this.#mayRun = false;
    await this.#turns.end();
  }

  /** Logs what went wrong once until a turn goes well. */
  #fails(error: unknown, account: string | null): void {
    if (!this.#isFailing) this.logger.error({ err: error, account }, 'could not make bets of orders; retrying');
  }
}

/** Stores what bets closed at, while this server has the books; follows markets for that. */
export class BetClosing {
  readonly #turns = new Turns(() => this.look());
  #isFailing = false;

  constructor(
    private readonly closeBets: Pick<CloseBets, 'execute' | 'stop'>,
    private readonly hasBooks: () => boolean,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.#turns.start();
  }

  /** One turn. Never throws. */
  async look(): Promise<void> {
    if (!this.hasBooks()) return this.closeBets.stop();
    const failures = await this.closeBets.execute().catch((error: unknown) => [error]);
    const [error] = failures;
    if (failures.length > 0 && !this.#isFailing)
      this.logger.error({ err: error }, 'could not store what bets closed at; retrying');
    this.#isFailing = failures.length > 0;
  }

  /** Begins nothing any more, and resolves once nothing is under way. */
  async close(): Promise<void> {
    await this.#turns.end();
    this.closeBets.stop();
  }
}

/** Work that comes once a second, in the time of the machine. */
class Turns {
  #end = () => {};
  #turn: Promise<void> = Promise.resolve();

  constructor(private readonly look: () => Promise<void>) {}

  start(): void {
    const turn = () => {
      this.#turn = this.look();
      return this.#turn;
    };
    this.#end = repeat(systemTimeline, KEEP_EVERY_MS, turn, { firstMs: 0 });
  }

  async end(): Promise<void> {
    this.#end();
    await this.#turn;
  }
}
