import { DomainError } from '../../core/errors.js';
import type { MarketEvent } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import type { MarketListener } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';

/** How often a followed market's metadata is read again: its start, whether it takes orders, its result. */
const LOOK_EVERY_MS = 30_000;

/** Adds a market's metadata to its stream of events, so that the listener gets one after another of both. */
export class MarketWatch {
  #tail: Promise<void> = Promise.resolve();
  #last = 0;
  #stopped = false;
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly market: Market,
    private readonly listener: MarketListener,
    private readonly clock: Clock,
    private readonly read: (market: Market) => Promise<Market | undefined>,
  ) {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.#timer.unref();
  }

  /** Hands an event over once those before it were taken. */
  hand(event: MarketEvent): Promise<void> {
    const handed = this.#tail.then(() => {
      if (this.#stopped) return;
      this.#last = Math.max(this.#last, event.at.getTime());
      return this.listener({ ...event, at: new Date(this.#last) });
    });
    // Whoever hands over is told of a failure; the next event does not wait for it.
    this.#tail = handed.catch(() => {});
    return handed;
  }

  /** Reads the metadata now. What cannot be read stays as it was, and is read again at the next turn. */
  async look(): Promise<void> {
    try {
      const market = await this.read(this.market);
      if (market !== undefined) await this.hand({ type: 'market', market, at: this.clock.now() });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }
}
