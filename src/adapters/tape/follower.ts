import type { MarketChange } from '../../core/market/event.js';
import type { MarketListener } from '../../ports/market-data.js';

/** Hands a listener its events one after another. */
export class Follower {
  #stopped = false;
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly listener: MarketListener) {}

  /** Resolves when the listener has taken the event, and all that came before. @throws what the listener throws */
  tell(change: MarketChange, at: Date): Promise<void> {
    this.#last = this.#last.then(() => (this.#stopped ? undefined : this.listener({ ...change, at })));
    return this.#last;
  }

  /** Nothing is handed over any more. */
  stop(): void {
    this.#stopped = true;
  }
}
