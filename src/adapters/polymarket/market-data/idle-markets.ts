import type { MarketId } from '../../../core/ids.js';

const SECOND_MS = 1000;
/** A quarter of what the venue grants for books (`polymarket.md` 2.5): the rest is for those who ask, and for new connections. */
const MOST_A_SECOND = 37;

/**
 * Finds the markets of which nothing was heard for a while, though their connection lives: their subscription may have died
 * alone. Each is looked at once in such a while, the longest unheard first, and only so many in a second.
 */
export class StillMarkets {
  /** Since which second nothing was heard, the longest first. */
  readonly #unheard = new Map<MarketId, number>();
  readonly #seconds: number;
  #second = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    silenceMs: number,
    private readonly look: (id: MarketId) => void,
  ) {
    this.#seconds = Math.ceil(silenceMs / SECOND_MS);
  }

  /** Begins to wait for something of this market, or waits anew. */
  heard(id: MarketId): void {
    this.#unheard.delete(id);
    this.#unheard.set(id, this.#second);
    this.#timer ??= setInterval(() => this.#lookAround(), SECOND_MS).unref();
  }

  /** The market is followed no more; without any, no timer is left. */
  forget(id: MarketId): void {
    this.#unheard.delete(id);
    if (this.#unheard.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Forgets all of them. */
  close(): void {
    for (const id of [...this.#unheard.keys()]) this.forget(id);
  }

  #lookAround(): void {
    this.#second += 1;
    let left = MOST_A_SECOND;
    for (const [id, since] of this.#unheard) {
      if (left === 0 || this.#second - since < this.#seconds) return;
      left -= 1;
      this.heard(id);
      this.look(id);
    }
  }
}
