import type { MarketChange } from '../../core/market/event.js';
import { ListenerQueue } from '../../core/market/listener-queue.js';
import type { MarketListener } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';

/** The events of a delivery, for its feed. */
export interface DeliveryObserver {
  /** Everything that was queued has been delivered. */
  drained(): void;
  /** The listener threw; it still gets the next event. */
  listenerFailed(error: unknown): void;
}

/** Delivers the changes of a market to one listener, one at a time, with at most `limit` queued. */
export class BoundedDelivery {
  /** Resolves once the first event was delivered, or none ever will be. */
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

  /** False when the queue is full; the event is then not queued. */
  put(change: MarketChange): boolean {
    if (this.#stopped) return true;
    if (this.#queue.size >= this.limit) return false;
    void this.#hand(change);
    return true;
  }

  /** Clears the queue. */
  clear(): void {
    this.#queue.clear();
  }

  /** Delivers nothing from now on. */
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
