import type { Book } from '../market/book.js';

/** So many levels on each side are the orders of several people, who do not all leave within a second by themselves. */
const MANY = 3;
const AT_ONCE_MS = 1000;

/**
 * Tells a book that the venue emptied from one that became empty: by a whole book without anybody, in place of one with two
 * sides; or by changes that take all of a book, which had many levels on each side within the second before. A book with few
 * levels may be one person's, who takes them back to quote anew; what was before a gap proves nothing.
 */
export class EmptiedBook {
  #hadBoth = false;
  #hadManyAt = Number.NEGATIVE_INFINITY;

  /** What the book is before something is told of it; null when that is not known. */
  before(book: Book | null, now: number): void {
    const bids = book?.depth('bids') ?? 0;
    const asks = book?.depth('asks') ?? 0;
    this.#hadBoth = bids > 0 && asks > 0;
    if (bids >= MANY && asks >= MANY) this.#hadManyAt = now;
    else if (book === null) this.#hadManyAt = Number.NEGATIVE_INFINITY;
  }

  /** True when the book is empty by what was told just now, and the venue did that. */
  emptied(told: 'book' | 'levels', book: Book, now: number): boolean {
    if (book.depth('bids') > 0 || book.depth('asks') > 0) return false;
    return told === 'book' ? this.#hadBoth : now - this.#hadManyAt <= AT_ONCE_MS;
  }
}
