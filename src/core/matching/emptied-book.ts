import type { Book } from '../market/book.js';

/** This many levels on each side belong to several traders, who do not all cancel within one second. */
const MANY = 3;
const AT_ONCE_MS = 1000;

/**
 * Distinguishes a book that the venue emptied from one that became empty. The venue emptied it when an empty snapshot
 * replaces a book with two sides, or when changes remove all of a book that had many levels on each side within the second
 * before. A book with few levels may be one trader's, cancelled to be quoted again. What was before a gap proves nothing.
 */
export class EmptiedBook {
  #hadBoth = false;
  #hadManyAt = Number.NEGATIVE_INFINITY;

  /** The book before an update; null when it is not known. */
  before(book: Book | null, now: number): void {
    const bids = book?.depth('bids') ?? 0;
    const asks = book?.depth('asks') ?? 0;
    this.#hadBoth = bids > 0 && asks > 0;
    if (bids >= MANY && asks >= MANY) this.#hadManyAt = now;
    else if (book === null) this.#hadManyAt = Number.NEGATIVE_INFINITY;
  }

  /** True when this update emptied the book, and the venue did that. */
  emptied(update: 'book' | 'levels', book: Book, now: number): boolean {
    if (book.depth('bids') > 0 || book.depth('asks') > 0) return false;
    return update === 'book' ? this.#hadBoth : now - this.#hadManyAt <= AT_ONCE_MS;
  }
}
