import type { Book } from '../market/book.js';
import type { Level } from '../market/event.js';
import { least, minus, NO_SHARES, plus, type Shares } from '../money.js';
import type { Ticket } from './ticket.js';

/** Shares to be taken from one level. */
export interface Take {
  readonly level: Level;
  readonly shares: Shares;
}

/**
 * What one account has taken from levels that are still as they were. A level that the venue tells anew is another one, so
 * that fresh data makes its shares whole again.
 */
export class Consumption {
  readonly #taken = new WeakMap<Level, Shares>();

  /** What is left of a level, in whole lots. */
  left(level: Level, lot: Shares): Shares {
    const left = minus(level.shares, this.#taken.get(level) ?? NO_SHARES);
    return minus(left, (left % lot) as Shares);
  }

  take({ level, shares }: Take): void {
    this.#taken.set(level, plus(this.#taken.get(level) ?? NO_SHARES, shares));
  }
}

/** What a ticket would take now: best price first, never past its limit, never more than is displayed and left. */
export function walk(book: Book, taken: Consumption, ticket: Ticket, lot: Shares): readonly Take[] {
  const takes: Take[] = [];
  let wanted = ticket.remaining;
  for (let index = 0; wanted > 0n; index++) {
    const level = book.at(ticket.takes, index);
    if (level === undefined || !ticket.reaches(level.price)) break;
    const shares = least(wanted, taken.left(level, lot));
    if (shares === 0n) continue;
    takes.push({ level, shares });
    wanted = minus(wanted, shares);
  }
  return takes;
}
