import type { Logger } from 'pino';
import { marketName } from '../../core/market/market.js';
import { isoText } from '../../core/moment.js';
import type { SettleResults } from '../../core/usecases/markets/background/settle-results.js';
import type { Clock } from '../../ports/system.js';

/** Failing for less long is a moment in which the database or the venue did not answer. */
const FAILING_MS = 60_000;
/** A look at the results takes a second or so. */
const TAKING_MS = 120_000;
const NAMED = 3;

/** Books results, and knows when it can not. */
export class ResultBooking {
  #begunAt: Date | null = null;
  #isEnded = false;
  #failing: { readonly since: Date; readonly what: string } | null = null;

  constructor(
    private readonly results: Pick<SettleResults, 'execute' | 'nameOf'>,
    private readonly wallClock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Books what is confirmed. Never throws. */
  async run(): Promise<void> {
    this.#begunAt = this.wallClock.now();
    try {
      const { orders, failures } = await this.results.execute();
      if (orders > 0) this.logger.info({ orders }, 'settled orders');
      for (const { market, error } of failures)
        this.logger.error({ err: error, market: marketName(market) }, 'could not settle a market; retrying');
      const named = await Promise.all(failures.slice(0, NAMED).map(({ market }) => this.results.nameOf(market)));
      const more = failures.length > NAMED ? ` and ${failures.length - NAMED} more` : '';
      if (failures.length === 0) this.#failing = null;
      else this.#fails(`of ${named.join(', ')}${more}`);
    } catch (error) {
      if (this.#isEnded) return;
      this.logger.error({ err: error }, 'could not settle results; retrying');
      this.#fails('of any market');
    } finally {
      this.#begunAt = null;
    }
  }

  /** From now on a look that fails was interrupted by the end of the server, which is no failure: the next server repeats it. */
  end(): void {
    this.#isEnded = true;
  }

  /** What is wrong, and since when; null while all is well. */
  get late(): { readonly since: Date; readonly detail: string } | null {
    const now = this.wallClock.now().getTime();
    const failing = this.#failing;
    if (failing !== null && now - failing.since.getTime() >= FAILING_MS)
      return {
        since: failing.since,
        detail: `Results ${failing.what} cannot be booked since ${isoText(failing.since)}. The log says why.`,
      };
    const since = this.#begunAt;
    if (since === null || now - since.getTime() < TAKING_MS) return null;
    const detail = `The look for results that began at ${isoText(since)} takes longer than two minutes: none is booked meanwhile.`;
    return { since, detail };
  }

  #fails(what: string): void {
    this.#failing = { since: this.#failing?.since ?? this.#begunAt ?? this.wallClock.now(), what };
  }
}
