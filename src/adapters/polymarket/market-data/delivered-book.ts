import { Book, type BookSides, bookOf } from '../../../core/market/book.js';
import { BOOK_SIDES, type Level, type MarketChange } from '../../../core/market/event.js';

/** A book that was read, and when it last changed by the venue's word, in milliseconds. */
export interface BookSnapshot extends BookSides {
  readonly sentAt?: number | null;
}

/** The book as a listener was told it. */
export class DeliveredBook {
  /** To be looked at alone. */
  readonly book = new Book();

  /** Anything but a book and levels leaves it as it is. */
  tell(change: MarketChange): void {
    if (change.type === 'book') this.book.replace(change.bids, change.asks);
    if (change.type === 'levels')
      for (const { side, price, shares } of change.changes) this.book.set(side, price, shares);
  }

  /** True when it has the same shares at the same prices. */
  isThat({ bids, asks }: BookSides): boolean {
    const other = bookOf({ bids, asks });
    return BOOK_SIDES.every((side) => areSame(this.book.side(side), other.side(side)));
  }
}

function areSame(delivered: readonly Level[], read: readonly Level[]): boolean {
  return (
    delivered.length === read.length &&
    delivered.every(({ price, shares }, index) => price === read[index]?.price && shares === read[index]?.shares)
  );
}
