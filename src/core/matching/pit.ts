import type { AccountId } from '../ids.js';
import { Book } from '../market/book.js';
import { BOOK_SIDES, type Level } from '../market/event.js';
import type { Price, Shares } from '../money.js';
import type { Execution } from '../order/fill.js';
import type { Side } from '../order/intent.js';
import { fillModel } from './model.js';
import { Queue } from './queue.js';
import type { Ticket } from './ticket.js';
import { Consumption, type Take, walk } from './walk.js';

/** A ticket, and what it just got. */
export interface Filled {
  readonly ticket: Ticket;
  readonly execution: Execution;
}

/**
 * The book of a market, and the paper orders that rest beside it. Each account trades alone against the book: nobody's
 * paper order takes what another's would have met.
 */
export class Pit {
  readonly book = new Book();
  readonly queue = new Queue();
  /** False until the first book, and after a gap until the next one. */
  fresh = false;
  readonly #taken = new Map<AccountId, Consumption>();

  constructor(private readonly lot: Shares) {}

  /** What the ticket would take now. */
  walk(ticket: Ticket): readonly Take[] {
    return walk(this.book, this.#consumed(ticket), ticket, this.lot);
  }

  /** Fills the ticket with what it takes, as a taker; `model` says what that assumes. */
  take(ticket: Ticket, takes: readonly Take[], model: string): readonly Filled[] {
    return takes.map((take) => {
      this.#consumed(ticket).take(take);
      return { ticket, execution: ticket.fill(take.shares, take.level.price, 'TAKER', model) };
    });
  }

  join(ticket: Ticket): void {
    this.queue.join(ticket, this.fresh ? this.book : null);
  }

  replace(bids: readonly Level[], asks: readonly Level[]): readonly Filled[] {
    this.book.replace(bids, asks);
    this.fresh = true;
    return this.look();
  }

  /** After the book changed: who is still ahead, and which resting orders somebody must have met on the way there. */
  look(): readonly Filled[] {
    this.queue.recount(this.book);
    const filled: Filled[] = [];
    for (const side of BOOK_SIDES) {
      for (const ticket of this.queue.side(side)) {
        const best = this.book.best(ticket.takes);
        // Those that come after it want a better price still.
        if (best === undefined || !ticket.reaches(best.price)) break;
        if (ticket.ahead > 0n) continue;
        for (const take of this.walk(ticket)) {
          this.#consumed(ticket).take(take);
          filled.push(this.#rested(ticket, take.shares, 'crossed'));
        }
      }
    }
    return filled;
  }

  /** What a trade at the venue would have left for the orders that rest here. */
  trade(taker: Side, price: Price, traded: Shares): readonly Filled[] {
    const filled: Filled[] = [];
    const resting = this.queue.side(taker === 'SELL' ? 'bids' : 'asks');
    for (const owner of new Set(resting.map(({ order }) => order.account))) {
      const mine = (ticket: Ticket) => ticket.order.account === owner;
      for (const { ticket, shares } of this.queue.reached(taker, price, traded, mine)) {
        const lots = (shares - (shares % this.lot)) as Shares;
        if (lots > 0n) filled.push(this.#rested(ticket, lots, 'traded'));
      }
    }
    return filled;
  }

  #rested(ticket: Ticket, shares: Shares, cause: 'traded' | 'crossed'): Filled {
    const model = fillModel({ kind: 'queue', cause, ahead: ticket.queuedBehind });
    return { ticket, execution: ticket.fill(shares, ticket.limit, 'MAKER', model) };
  }

  #consumed({ order }: Ticket): Consumption {
    const known = this.#taken.get(order.account);
    if (known !== undefined) return known;
    const fresh = new Consumption();
    this.#taken.set(order.account, fresh);
    return fresh;
  }
}
