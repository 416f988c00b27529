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
   * Resolves once the listener has taken the event, or it was dropped; undefined where it took it at once. @throws what the listener
   * throws; the next event does not wait for the handling of that.
   */
  hand(event: MarketEvent): Promise<void> | undefined {
    if (this.#stopped) return undefined;
    const moment = event.at.getTime();
    const inOrder = moment < this.#last ? { ...event, at: new Date(this.#last) } : event;
    this.#last = Math.max(this.#last, moment);
    return this.#running ? this.#wait(inOrder) : this.#begin(inOrder);
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

  #wait(event: MarketEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
    });
  }

  #begin(event: MarketEvent): Promise<void> | undefined {
    this.#running = true;
    let taking: void | Promise<void>;
    try {
      taking = this.listener(event);
    } catch (error) {
      taking = Promise.reject(error);
    }
    if (taking !== undefined) return this.#end(taking);
    if (this.#waiting.length > 0) void this.#run();
    else this.#running = false;
    return undefined;
  }

  async #end(taking: Promise<void>): Promise<void> {
    try {
      await taking;
    } finally {
      void this.#run();
    }
  }

  async #run(): Promise<void> {
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
