import { type Book, type BookSides, bookOf } from '../../../core/market/book.js';
import { BOOK_SIDES, type BookSide, type Level, type LevelChange } from '../../../core/market/event.js';
import type { Price } from '../../../core/money.js';
import type { BestPrices } from '../websocket/best-wire.js';
import { isOlder } from './sent-at.js';

/** A best price that the venue reported and the book does not show. */
interface Doubt {
  /** The price in doubt; null when it is about none. */
  readonly price: Price | null;
  /** True until an update explains it. */
  readonly lasts: () => boolean;
  readonly timer: NodeJS.Timeout;
}

/**
 * Compares the best prices that the venue reports with the held book, to detect a lost change. The reported prices may be
 * ahead of the changes by a few messages, and a book may cross until the next one: only a lasting difference counts.
 */
export class BestPriceCheck {
  readonly #doubts = new Map<string, Doubt>();

  /** Calls `lasted` when a doubt was not explained for `patienceMs`. */
  constructor(
    private readonly book: Book,
    private readonly patienceMs: number,
    private readonly lasted: () => void,
  ) {}

  /** The venue reports these best prices as of all its earlier messages. */
  expect(best: BestPrices): void {
    for (const side of BOOK_SIDES) {
      const price = best[side];
      if (price !== undefined) this.#compare(side, price);
    }
  }

  /** These changes are in the book. */
  changed(changes: readonly LevelChange[]): void {
    const [bid, ask] = [this.book.best('bids'), this.book.best('asks')];
    if (bid !== undefined && ask !== undefined && bid.price >= ask.price) {
      this.#doubt('crossed', null, () => this.#isThere('bids', bid) && this.#isThere('asks', ask));
    }
    if (this.#doubts.size === 0) return;
    for (const { side, price } of changes) this.#settle(`${side} lacking`, price);
  }

  /** The whole book was delivered, or is about to be: earlier doubts no longer apply. */
  settle(): void {
    for (const { timer } of this.#doubts.values()) clearTimeout(timer);
    this.#doubts.clear();
  }

  #compare(side: BookSide, price: Price | null): void {
    const held = this.book.best(side);
    if (price !== null) this.#settle(`${side} beyond`, price);
    if (this.#doubts.get(`${side} lacking`)?.price !== price) this.#settle(`${side} lacking`);
    if (held !== undefined && (price === null || isBetter(side, held.price, price))) {
      this.#doubt(`${side} beyond`, held.price, () => this.#isThere(side, held));
    }
    if (price !== null && this.book.level(side, price) === undefined) {
      this.#doubt(`${side} lacking`, price, () => this.book.level(side, price) === undefined);
    }
  }

  /** An update makes a new level object, so that the same one has had no update. */
  #isThere(side: BookSide, level: Level): boolean {
    return this.book.level(side, level.price) === level;
  }

  #doubt(what: string, price: Price | null, lasts: () => boolean): void {
    if (this.#doubts.get(what)?.lasts()) return;
    this.#settle(what);
    const timer = setTimeout(() => {
      this.#doubts.delete(what);
      if (lasts()) this.lasted();
    }, this.patienceMs).unref();
    this.#doubts.set(what, { price, lasts, timer });
  }

  /** Ends a doubt; when a price is given, only one about that price. */
  #settle(what: string, price?: Price): void {
    const doubt = this.#doubts.get(what);
    if (doubt === undefined || (price !== undefined && doubt.price !== price)) return;
    clearTimeout(doubt.timer);
    this.#doubts.delete(what);
  }
}

const isBetter = (side: BookSide, price: Price, than: Price): boolean =>
  side === 'bids' ? price > than : price < than;

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
