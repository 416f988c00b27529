import type { MarketChange } from '../../../core/market/event.js';
import { ListenerQueue } from '../../../core/market/listener-queue.js';
import type { MarketListener } from '../../../ports/market-data.js';
import type { Clock } from '../../../ports/system.js';

/** What a delivery tells whoever feeds it. */
export interface DeliveryObserver {
  /** All that was put in has been handed over. */
  drained(): void;
  /** The listener threw; it is handed the next event all the same. */
  listenerFailed(error: unknown): void;
}

/** Hands the changes of a market to one listener in turn, and never holds more than `limit` that wait. */
export class BoundedDelivery {
  /** Resolves once the first event was handed over, or none ever will be. */
  readonly begun: Promise<void>;
  readonly #queue: ListenerQueue;
  #begin: () => void = () => {};
  #stopped = false;

  constructor(
    listener: MarketListener,
    private readonly clock: Clock,
    private readonly limit: number,
    private readonly observer: DeliveryObserver,
  ) {
    this.#queue = new ListenerQueue(listener);
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** False when too many wait already; then it is not taken. */
  put(change: MarketChange): boolean {
    if (this.#stopped) return true;
    if (this.#queue.size >= this.limit) return false;
    void this.#hand(change);
    return true;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#queue.clear();
  }

  /** Hands over nothing from now on. */
  stop(): void {
    this.#stopped = true;
    this.#queue.stop();
    this.#begin();
  }

  async #hand(change: MarketChange): Promise<void> {
    try {
      await this.#queue.hand({ ...change, at: this.clock.now() });
    } catch (error) {
      this.observer.listenerFailed(error);
    }
    this.#begin();
    if (!this.#stopped && !this.#queue.isBusy) this.observer.drained();
  }
}
