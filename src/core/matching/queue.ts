import type { Book } from '../market/book.js';
import { BOOK_SIDES, type BookSide, type LevelChange } from '../market/event.js';
import type { Side } from '../market/side.js';
import { least, MOST_SHARES, minus, NO_SHARES, type Price, plus, type Shares } from '../money.js';
import { ONE_MATCH_MS } from './flow.js';
import type { WorkingOrder } from './working-order.js';

/** A resting working order, and its part of a trade. */
export interface Share {
  readonly working: WorkingOrder;
  readonly shares: Shares;
}

/** A trade at the venue, and when it was received, in milliseconds. */
export interface Trade {
  readonly taker: Side;
  readonly price: Price;
  readonly shares: Shares;
  readonly at: number;
}

/** The working orders that rest on one book, each with its place behind the shares that others showed before it came. */
export class Queue {
  readonly #resting: Record<BookSide, WorkingOrder[]> = { bids: [], asks: [] };

  /** Best price first; at one price, in order of arrival. */
  side(side: BookSide): readonly WorkingOrder[] {
    return this.#resting[side];
  }

  all(): readonly WorkingOrder[] {
    return [...this.#resting.bids, ...this.#resting.asks];
  }

  /** Queues the order behind all that is displayed at its price; without a book, behind all that will be. */
  join(working: WorkingOrder, book: Book | null): void {
    working.ahead = book === null ? MOST_SHARES : (book.level(working.rests, working.limit)?.shares ?? NO_SHARES);
    working.queuedBehind = working.ahead;
    const queue = this.#resting[working.rests];
    const after = queue.findIndex((other) => isBetter(working.rests, working.limit, other.limit));
    queue.splice(after === -1 ? queue.length : after, 0, working);
  }

  leave(working: WorkingOrder): void {
    this.#resting[working.rests] = this.#resting[working.rests].filter((other) => other !== working);
  }

  /** Shares that are no longer displayed are no longer ahead. */
  recount(book: Book, at: number): void {
    for (const side of BOOK_SIDES) for (const working of this.#resting[side]) recount(working, book, at);
  }

  /** Counts anew what is ahead of orders at these levels, where nothing else changed. */
  recountAt(levels: readonly LevelChange[], book: Book, at: number): void {
    for (const { side, price } of levels) {
      for (const working of this.#resting[side]) if (working.limit === price) recount(working, book, at);
    }
  }

  /**
   * Which of one account's working orders a trade would have reached. At its own price a working order gets what is left
   * after the shares ahead of it; a trade at a worse price went past it, and so past all shares ahead.
   */
  reached({ taker, price, shares: traded, at }: Trade, mine: (working: WorkingOrder) => boolean): readonly Share[] {
    const side = taker === 'SELL' ? 'bids' : 'asks';
    const shares: Share[] = [];
    let budget = traded;
    for (const working of this.#resting[side]) {
      if (isBetter(side, price, working.limit)) break;
      if (!mine(working)) continue;
      if (working.limit !== price) working.ahead = NO_SHARES;
      const counted = working.limit === price ? counts(working, budget, at) : NO_SHARES;
      const passed = least(working.ahead, minus(budget, counted));
      const won = least(working.remaining, minus(budget, plus(counted, passed)));
      working.ahead = minus(working.ahead, passed);
      if (working.limit === price) displace(working, minus(traded, budget));
      budget = minus(budget, won);
      if (won > 0n) shares.push({ working, shares: won });
    }
    return shares;
  }

  /** Displaced shares of others, ahead of this order and of those of its account that came later, were served. */
  served(working: WorkingOrder, shares: Shares): void {
    const side = this.#resting[working.rests];
    for (const other of side.slice(side.indexOf(working))) {
      if (other.limit !== working.limit || other.order.account !== working.order.account) continue;
      other.displaced = minus(other.displaced, least(other.displaced, shares));
      other.ahead = minus(other.ahead, least(other.ahead, shares));
    }
  }

  /** Nobody is ahead any more. */
  emptied(): void {
    for (const working of this.all()) working.displaced = NO_SHARES;
  }
}

/**
 * A trade served earlier orders of the account with shares that, at the venue, others had from it: these are still ahead,
 * though the venue shows them no more. Where it took them from the level before the trade, they are put back.
 */
function displace(working: WorkingOrder, served: Shares): void {
  const back = least(served, working.gone);
  working.gone = minus(working.gone, back);
  working.ahead = plus(working.ahead, back);
  working.displaced = least(working.ahead, plus(working.displaced, served));
}

function recount(working: WorkingOrder, book: Book, at: number): void {
  if (working.ahead === 0n) return;
  const shown = book.level(working.rests, working.limit)?.shares ?? NO_SHARES;
  const left = least(working.ahead, plus(shown, working.displaced));
  if (working.queuedBehind === MOST_SHARES) working.queuedBehind = left;
  else if (left < working.ahead) note(working, minus(working.ahead, left), at);
  working.ahead = left;
}

/** Remembers that the order moved up because its level shrank: the trade that caused it may be received later. */
function note(working: WorkingOrder, gone: Shares, at: number): void {
  working.gone = at - working.goneAt >= ONE_MATCH_MS ? gone : plus(working.gone, gone);
  working.goneAt = at;
}

/** How much of a trade has moved the queue already, when its level shrank; that counts once. */
function counts(working: WorkingOrder, traded: Shares, at: number): Shares {
  if (at - working.goneAt >= ONE_MATCH_MS) return NO_SHARES;
  const counted = least(working.gone, traded);
  working.gone = minus(working.gone, counted);
  return counted;
}

const isBetter = (side: BookSide, price: Price, than: Price): boolean =>
  side === 'bids' ? price > than : price < than;
