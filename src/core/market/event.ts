import type { Price, Shares } from '../money.js';
import type { Market, PriceGrid } from './market.js';
import type { Side } from './side.js';

/** The shares bid or offered at one price, of all orders there together. */
export interface Level {
  readonly price: Price;
  readonly shares: Shares;
}

/** Both sides of a book. */
export const BOOK_SIDES = ['bids', 'asks'] as const;

/** One side of a book. */
export type BookSide = (typeof BOOK_SIDES)[number];

/** The new total of one level; none is left of it when that is 0. */
export interface LevelChange extends Level {
  readonly side: BookSide;
}

/**
 * A change that a market reported, always in terms of its first outcome: its two books are one, since a bid for the second
 * outcome at p is an offer of the first at 1 − p.
 */
export type MarketChange =
  /** The whole book; levels in any order. Ends a gap. */
  | { readonly type: 'book'; readonly bids: readonly Level[]; readonly asks: readonly Level[] }
  /** New totals of some levels; zero shares remove the level. */
  | { readonly type: 'levels'; readonly changes: readonly LevelChange[] }
  /** A match at the venue; `taker` is the side of the order that came in. */
  | { readonly type: 'trade'; readonly price: Price; readonly shares: Shares; readonly taker: Side }
  /** Another price grid. */
  | ({ readonly type: 'tick' } & PriceGrid)
  /** The market's metadata anew: accepting orders, its start, its result. */
  | { readonly type: 'market'; readonly market: Market }
  /** Something may have been missed; the book is not to be trusted until the next `book`. */
  | { readonly type: 'gap'; readonly reason: string };

/** A change, and when it was received; within a stream, times never go back. */
export type MarketEvent = MarketChange & { readonly at: Date };
