import type { MarketWatch } from './market-watch.js';

const SECOND_MS = 1000;
/** How often a followed market's metadata is read again: its start, whether it takes orders, its result. */
const EVERY_SECONDS = 30;
/** Half of what the venue grants (`polymarket.md` 2.5): the other half is for those who ask for a market. */
const MOST_A_SECOND = 15;

/**
 * Reads the metadata of followed markets again, each every half a minute; of more markets than the venue's allowance is good
 * for, one after another as fast as half of it lets.
 */
export class MetadataRounds {
  /** Who waits since which second, the longest first. */
  readonly #waiting = new Map<MarketWatch, number>();
  #second = 0;
  #timer: NodeJS.Timeout | undefined;

  add(watch: MarketWatch): void {
    this.#waiting.set(watch, this.#second);
    this.#timer ??= setInterval(() => this.#look(), SECOND_MS).unref();
  }

  remove(watch: MarketWatch): void {
    this.#waiting.delete(watch);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Those that are followed, in no particular order. */
  all(): readonly MarketWatch[] {
    return [...this.#waiting.keys()];
  }

  #look(): void {
    this.#second += 1;
    let left = MOST_A_SECOND;
    for (const [watch, since] of this.#waiting) {
      if (left === 0 || this.#second - since < EVERY_SECONDS) return;
      left -= 1;
      this.#waiting.delete(watch);
      this.#waiting.set(watch, this.#second);
      void watch.look();
    }
  }
}
