import type { MarketEvent } from './event.js';

interface Waiting {
  readonly event: MarketEvent;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Hands events to one listener strictly one after another. Their times never go back, even if the machine's clock does. */
export class ListenerQueue {
  readonly #waiting: Waiting[] = [];
  #last = Number.NEGATIVE_INFINITY;
  #running = false;
  #stopped = false;

  constructor(private readonly listener: (event: MarketEvent) => void | Promise<void>) {}

  /** How many wait, without the one that is being taken. */
  get size(): number {
    return this.#waiting.length;
  }

  /** True while the listener is taking one, or one waits. */
  get isBusy(): boolean {
    return this.#running;
  }

  /**
   * Resolves once the listener has taken the event, or it was dropped. @throws what the listener throws; the next event does
   * not wait for the handling of that.
   */
  hand(event: MarketEvent): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    this.#last = Math.max(this.#last, event.at.getTime());
    const at = new Date(this.#last);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event: { ...event, at }, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  /** Drops what waits. */
  clear(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  /** Hands over nothing from now on. */
  stop(): void {
    this.#stopped = true;
    this.clear();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      try {
        await this.listener(next.event);
        next.resolve();
      } catch (error) {
        next.reject(error);
      }
    }
    this.#running = false;
  }
}
