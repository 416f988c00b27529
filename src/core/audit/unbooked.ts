import type { OrderId } from '../ids.js';
import type { Order } from '../order/order.js';
import type { Finding } from './books-audit.js';
import { type Booking, leavesNoEntry } from './fill-audit.js';
import type { JournalReading } from './read-books.js';
import { positionsOf } from './share-audit.js';

interface Missing {
  readonly id: OrderId;
  readonly cause: Booking;
  readonly place: number;
}

/**
 * The fills of an account's orders that have no entry: rightly, because there was nothing to book, or because the entry was not
 * read yet. Keeps the missing ones, and of which positions shares came or went without an entry.
 */
export class Unbooked {
  readonly #missing: Missing[] = [];
  readonly #without = new Set<string>();

  /** Adds an order; the journal was read before. */
  add(order: Order, journal: JournalReading): void {
    for (const one of journal.fills.unbooked(order)) {
      const { cause, place } = one;
      if (leavesNoEntry(order, one)) for (const name of positionsOf(order)) this.#without.add(name);
      else this.#missing.push({ id: order.id, cause, place });
    }
  }

  /** The names of the positions whose shares are not known by the entries. */
  get positions(): ReadonlySet<string> {
    return this.#without;
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
