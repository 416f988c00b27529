import { Book, type BookSides, bookOf } from '../../../core/market/book.js';
import { BOOK_SIDES, type Level, type MarketChange } from '../../../core/market/event.js';

/** A book that was read, and when it last changed according to the venue, in milliseconds. */
export interface BookSnapshot extends BookSides {
  readonly sentAt?: number | null;
}

/** The book as delivered to a listener. */
export class DeliveredBook {
  /** Read-only for others. */
  readonly book = new Book();

  /** Changes other than books and levels leave it as it is. */
  apply(change: MarketChange): void {
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
