import { type BookSides, bookOf } from '../../../core/market/book.js';
import { BOOK_SIDES } from '../../../core/market/event.js';
import type { BestPrices } from '../websocket/best-wire.js';
import { isOlder } from './sent-at.js';

/** The newest best prices of a market that the venue reported. */
export class LatestBestPrices {
  #best: BestPrices = {};
  #sentAt: number | null = null;

  /** False when it is older than what is known. */
  take(best: BestPrices, sentAt: number | null): boolean {
    if (isOlder(sentAt, this.#sentAt)) return false;
    this.#best = best;
    this.#sentAt = sentAt;
    return true;
  }

  forget(): void {
    this.#best = {};
    this.#sentAt = null;
  }

  /** True when both sides are reported empty: that is a whole book. */
  get isEmpty(): boolean {
    return BOOK_SIDES.every((side) => this.#best[side] === null);
  }

  /** True when it is newer than a book of this time, and disagrees with it. */
  contradicts(sides: BookSides, sentAt: number | null): boolean {
    if (!isOlder(sentAt, this.#sentAt)) return false;
    const book = bookOf(sides);
    return BOOK_SIDES.some((side) => {
      const best = this.#best[side];
      return best !== undefined && best !== (book.best(side)?.price ?? null);
    });
  }
}
