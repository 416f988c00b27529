import type { Book } from '../market/book.js';
import { BOOK_SIDES, type BookSide } from '../market/event.js';
import { least, MOST_SHARES, minus, NO_SHARES, type Price, type Shares } from '../money.js';
import type { Side } from '../order/intent.js';
import type { Ticket } from './ticket.js';

/** A resting ticket, and how many shares of a trade are its. */
export interface Share {
  readonly ticket: Ticket;
  readonly shares: Shares;
}

/** The tickets that rest on one book, each with its place behind the shares that others showed before it came. */
export class Queue {
  readonly #resting: Record<BookSide, Ticket[]> = { bids: [], asks: [] };

  /** Best price first; at one price, who came first. */
  side(side: BookSide): readonly Ticket[] {
    return this.#resting[side];
  }

  all(): readonly Ticket[] {
    return [...this.#resting.bids, ...this.#resting.asks];
  }

  /** Comes to rest behind all that is shown at its price; without a book, behind all that will be. */
  join(ticket: Ticket, book: Book | null): void {
    ticket.ahead = book === null ? MOST_SHARES : (book.level(ticket.rests, ticket.limit)?.shares ?? NO_SHARES);
    ticket.queuedBehind = ticket.ahead;
    const queue = this.#resting[ticket.rests];
    const after = queue.findIndex((other) => isBetter(ticket.rests, ticket.limit, other.limit));
    queue.splice(after === -1 ? queue.length : after, 0, ticket);
  }

  leave(ticket: Ticket): void {
    this.#resting[ticket.rests] = this.#resting[ticket.rests].filter((other) => other !== ticket);
  }

  /** Nobody is ahead who is no longer shown. */
  recount(book: Book): void {
    for (const side of BOOK_SIDES) {
      for (const ticket of this.#resting[side]) {
        if (ticket.ahead === 0n) continue;
        ticket.ahead = least(ticket.ahead, book.level(side, ticket.limit)?.shares ?? NO_SHARES);
        if (ticket.queuedBehind === MOST_SHARES) ticket.queuedBehind = ticket.ahead;
      }
    }
  }

  /**
   * Who of one account's tickets a trade would have reached. At its own price a ticket gets what is left once those ahead
   * were served; a trade at a worse price went past it, and so past all who were ahead.
   */
  reached(taker: Side, price: Price, traded: Shares, mine: (ticket: Ticket) => boolean): readonly Share[] {
    const side = taker === 'SELL' ? 'bids' : 'asks';
    const shares: Share[] = [];
    let budget = traded;
    for (const ticket of this.#resting[side]) {
      if (isBetter(side, price, ticket.limit)) break;
      if (!mine(ticket)) continue;
      if (ticket.limit !== price) ticket.ahead = NO_SHARES;
      const passed = least(ticket.ahead, budget);
      const won = least(ticket.remaining, minus(budget, passed));
      ticket.ahead = minus(ticket.ahead, passed);
      budget = minus(budget, won);
      if (won > 0n) shares.push({ ticket, shares: won });
    }
    return shares;
  }
}

const isBetter = (side: BookSide, price: Price, than: Price): boolean =>
  side === 'bids' ? price > than : price < than;
