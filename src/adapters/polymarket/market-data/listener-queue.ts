import type { MarketChange, MarketEvent } from '../../../core/market/event.js';
import type { MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';

/** What a delivery tells whoever feeds it. */
export interface DeliveryObserver {
  /** All that was put in has been handed over. */
  drained(): void;
  /** The listener threw; it is handed the next event all the same. */
  listenerFailed(error: unknown): void;
}

/** Hands events to one listener strictly one after another, and never holds more than `limit` that wait. */
export class Delivery {
  /** Resolves once the first event was handed over, or none ever will be. */
  readonly begun: Promise<void>;
  readonly #waiting: MarketEvent[] = [];
  #begin: () => void = () => {};
  #last = Number.NEGATIVE_INFINITY;
  #running = false;
  #stopped = false;

  constructor(
    private readonly listener: MarketListener,
    private readonly clock: Clock,
    private readonly limit: number,
    private readonly observer: DeliveryObserver,
  ) {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** False when too many wait already; then it is not taken. */
  put(change: MarketChange): boolean {
    if (this.#stopped) return true;
    if (this.#waiting.length >= this.limit) return false;
    // A machine's clock may be set back; the times within a stream may not.
    this.#last = Math.max(this.#last, this.clock.now().getTime());
    this.#waiting.push({ ...change, at: new Date(this.#last) });
    if (!this.#running) void this.#run();
    return true;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting.length = 0;
  }

  /** Hands over nothing from now on. */
  stop(): void {
    this.#stopped = true;
    this.clear();
    this.#begin();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let event = this.#waiting.shift(); event !== undefined; event = this.#waiting.shift()) {
      try {
        await this.listener(event);
      } catch (error) {
        this.observer.listenerFailed(error);
      }
      this.#begin();
    }
    this.#running = false;
    if (!this.#stopped) this.observer.drained();
  }
}
