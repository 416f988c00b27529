import type { OrderId } from '../ids.js';
import type { Order } from '../order/order.js';
import type { Finding } from './books-audit.js';
import { type Booking, leavesNoEntry } from './fill-audit.js';
import type { JournalReading } from './read-books.js';
import { SharesOutside } from './share-audit.js';

interface Missing {
  readonly id: OrderId;
  readonly cause: Booking;
  readonly place: number;
}

/**
 * The fills of an account's orders that have no entry: rightly, because there was no journal yet or nothing to book, or
 * because the entry was not read yet. Keeps the missing ones, and the shares from before the journal by outcome.
 */
export class Unbooked {
  readonly #missing: Missing[] = [];
  readonly shares = new SharesOutside();

  /** Adds an order with the moments at which its fills came and were voided; the journal was read before. */
  add(order: Order, moments: ReadonlyMap<string, Date>, journal: JournalReading): void {
    for (const one of journal.fills.unbooked(order)) {
      const { cause, place, fill } = one;
      if (leavesNoEntry(order, one)) this.shares.lose(order);
      else if (journal.isBefore(order, moments.get(`${cause} ${fill.tradeId}`))) this.shares.add(order, fill, cause);
      else this.#missing.push({ id: order.id, cause, place });
    }
  }

  /** What the journal still does not book, after it was read further or again after the orders. */
  findings(journal: JournalReading): readonly Finding[] {
    return this.#missing
      .filter(({ id, cause, place }) => !journal.fills.isBooked(id, cause, place))
      .map(({ id, cause, place }) => {
        const what = cause === 'fill' ? `fill ${place + 1}` : `the void of fill ${place + 1}`;
        const message = `Order ${id}: no entry books ${what}.`;
        return { check: 'fill', about: id, found: null, expected: null, message };
      });
  }
}
