import type { Book } from '../market/book.js';
import { BOOK_SIDES, type BookSide, type LevelChange } from '../market/event.js';
import { least, MOST_SHARES, minus, NO_SHARES, type Price, plus, type Shares } from '../money.js';
import type { Side } from '../order/intent.js';
import { ONE_MATCH_MS } from './flow.js';
import type { Ticket } from './ticket.js';

/** A resting ticket, and how many shares of a trade are its. */
export interface Share {
  readonly ticket: Ticket;
  readonly shares: Shares;
}

/** A trade at the venue, and when it was told, in milliseconds. */
export interface Trade {
  readonly taker: Side;
  readonly price: Price;
  readonly shares: Shares;
  readonly at: number;
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
  recount(book: Book, at: number): void {
    for (const side of BOOK_SIDES) for (const ticket of this.#resting[side]) recount(ticket, book, at);
  }

  /** The same, where nothing changed but these levels. */
  recountAt(levels: readonly LevelChange[], book: Book, at: number): void {
    for (const { side, price } of levels) {
      for (const ticket of this.#resting[side]) if (ticket.limit === price) recount(ticket, book, at);
    }
  }

  /**
   * Who of one account's tickets a trade would have reached. At its own price a ticket gets what is left once those ahead
   * were served; a trade at a worse price went past it, and so past all who were ahead.
   */
  reached({ taker, price, shares: traded, at }: Trade, mine: (ticket: Ticket) => boolean): readonly Share[] {
    const side = taker === 'SELL' ? 'bids' : 'asks';
    const shares: Share[] = [];
    let budget = traded;
    for (const ticket of this.#resting[side]) {
      if (isBetter(side, price, ticket.limit)) break;
      if (!mine(ticket)) continue;
      if (ticket.limit !== price) ticket.ahead = NO_SHARES;
      const counted = ticket.limit === price ? counts(ticket, budget, at) : NO_SHARES;
      const passed = least(ticket.ahead, minus(budget, counted));
      const won = least(ticket.remaining, minus(budget, plus(counted, passed)));
      ticket.ahead = minus(ticket.ahead, passed);
      budget = minus(budget, won);
      if (won > 0n) shares.push({ ticket, shares: won });
    }
    return shares;
  }
}

function recount(ticket: Ticket, book: Book, at: number): void {
  if (ticket.ahead === 0n) return;
  const left = least(ticket.ahead, book.level(ticket.rests, ticket.limit)?.shares ?? NO_SHARES);
  if (ticket.queuedBehind === MOST_SHARES) ticket.queuedBehind = left;
  else if (left < ticket.ahead) note(ticket, minus(ticket.ahead, left), at);
  ticket.ahead = left;
}

/** Remembers that it moved up because its level shrank: the trade that did it may be told after it. */
function note(ticket: Ticket, gone: Shares, at: number): void {
  ticket.gone = at - ticket.goneAt >= ONE_MATCH_MS ? gone : plus(ticket.gone, gone);
  ticket.goneAt = at;
}

/** How much of a trade has moved the queue already, when its level shrank; that counts once. */
function counts(ticket: Ticket, traded: Shares, at: number): Shares {
  if (at - ticket.goneAt >= ONE_MATCH_MS) return NO_SHARES;
  const counted = least(ticket.gone, traded);
  ticket.gone = minus(ticket.gone, counted);
  return counted;
}

const isBetter = (side: BookSide, price: Price, than: Price): boolean =>
  side === 'bids' ? price > than : price < than;
