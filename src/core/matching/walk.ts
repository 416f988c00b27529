import type { Book } from '../market/book.js';
import type { BookSide, Level } from '../market/event.js';
import { least, minus, NO_SHARES, type Price, plus, type Shares } from '../money.js';
import type { Ticket } from './ticket.js';

/** Shares to be taken from one level. */
export interface Take {
  readonly level: Level;
  readonly shares: Shares;
}

/**
 * What one account has taken of what is displayed. The venue does not know of it, and goes on telling those shares: told
 * anew, a level has what was left of it, at most what is displayed, and whatever it has grown by. One that was gone is whole.
 */
export class Consumption {
  readonly #taken: Record<BookSide, Map<Price, Shares>> = { bids: new Map(), asks: new Map() };

  get isEmpty(): boolean {
    return this.#taken.bids.size + this.#taken.asks.size === 0;
  }

  /** What is left of a level, in whole lots. */
  left(side: BookSide, { price, shares }: Level, lot: Shares): Shares {
    const left = minus(shares, this.#taken[side].get(price) ?? NO_SHARES);
    return minus(left, (left % lot) as Shares);
  }

  take(side: BookSide, { level, shares }: Take): void {
    this.#taken[side].set(level.price, plus(this.#taken[side].get(level.price) ?? NO_SHARES, shares));
  }

  /** Where something was taken. */
  prices(side: BookSide): readonly Price[] {
    return [...this.#taken[side].keys()];
  }

  /** The venue tells another total: others took from what this account had taken first. */
  told(side: BookSide, price: Price, before: Shares, after: Shares): void {
    const taken = this.#taken[side].get(price);
    if (taken === undefined || after >= before) return;
    const gone = minus(before, after);
    if (taken > gone) this.#taken[side].set(price, minus(taken, gone));
    else this.#taken[side].delete(price);
  }
}

/** What a ticket would take now: best price first, never past its limit, never more than is displayed and left. */
export function walk(book: Book, taken: Consumption, ticket: Ticket, lot: Shares): readonly Take[] {
  const takes: Take[] = [];
  let wanted = ticket.remaining;
  for (let index = 0; wanted > 0n; index++) {
    const level = book.at(ticket.takes, index);
    if (level === undefined || !ticket.reaches(level.price)) break;
    const shares = least(wanted, taken.left(ticket.takes, level, lot));
    if (shares === 0n) continue;
    takes.push({ level, shares });
    wanted = minus(wanted, shares);
  }
  return takes;
}
