import type { BookSide } from '../market/event.js';
import { least, minus, NO_SHARES, type Price, plus, type Shares } from '../money.js';

/** A level that shrank and a trade at its price belong together when they are received within this time, in either order. */
export const ONE_MATCH_MS = 500;

/** Shares that moved recently, each within that time of the one before, and when the last moved, in milliseconds. */
export interface Move {
  shares: Shares;
  at: number;
}

/** What moves at one level. */
interface Moves {
  readonly gone: Move;
  readonly traded: Move;
}

/** Nothing that moved. */
export const noMove = (): Move => ({ shares: NO_SHARES, at: Number.NEGATIVE_INFINITY });

/**
 * What recently left the levels of a book and what traded at them, as far as they are not matched to each other. The venue
 * sends both, one after the other, and does not say which belong together.
 */
export class Flow {
  readonly #moves: Record<BookSide, Map<Price, Moves>> = { bids: new Map(), asks: new Map() };

  /** A level shrank; returns how much of it no trade explains so far. */
  shrank(side: BookSide, price: Price, shares: Shares, at: number): Shares {
    const { gone, traded } = this.#at(side, price);
    const unexplained = traded.shares === 0n ? shares : minus(shares, settle(traded, shares, at));
    note(gone, unexplained, at);
    return unexplained;
  }

  /** A trade took from a level; returns how much of what left it before this explains. */
  traded(side: BookSide, price: Price, shares: Shares, at: number): Shares {
    const { gone, traded } = this.#at(side, price);
    const explained = settle(gone, shares, at);
    note(traded, minus(shares, explained), at);
    return explained;
  }

  /** What traded at a level and is displayed still: it will leave in a moment. */
  due(side: BookSide, price: Price, at: number): Shares {
    const traded = this.#moves[side].get(price)?.traded;
    return traded === undefined || isOver(traded, at) ? NO_SHARES : traded.shares;
  }

  #at(side: BookSide, price: Price): Moves {
    const known = this.#moves[side].get(price);
    if (known !== undefined) return known;
    const none = { gone: noMove(), traded: noMove() };
    this.#moves[side].set(price, none);
    return none;
  }
}

/** Adds shares that moved now. */
export function note(move: Move, shares: Shares, at: number): void {
  move.shares = isOver(move, at) ? shares : plus(move.shares, shares);
  move.at = at;
}

/** Takes up to `shares` out of those that moved recently, and returns how many it took. */
export function settle(move: Move, shares: Shares, at: number): Shares {
  if (isOver(move, at)) return NO_SHARES;
  const settled = least(move.shares, shares);
  move.shares = minus(move.shares, settled);
  return settled;
}

const isOver = (move: Move, at: number): boolean => at - move.at >= ONE_MATCH_MS;
