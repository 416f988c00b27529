import type { Price, Shares } from '../money.js';
import type { Market, PriceGrid } from './market.js';
import type { Side } from './side.js';

/** What market data can prove of fills, from the most to the least. */
export const EVIDENCE = ['l2', 'l2_no_trades', 'snapshots', 'l1', 'trades', 'candles', 'mid'] as const;

/**
 * `l2`: every change of the book, and every trade. `l2_no_trades`: the changes alone. `snapshots`: whole books now and then. `l1`: the best
 * prices with their sizes. `trades`, `candles` and `mid` hold no book that an order could have met.
 */
export type Evidence = (typeof EVIDENCE)[number];

/** That of these which proves the least; `l2` where there are none. */
export const worstEvidence = (all: Iterable<Evidence>): Evidence =>
  [...all].reduce((worst, one) => (EVIDENCE.indexOf(one) > EVIDENCE.indexOf(worst) ? one : worst), EVIDENCE[0]);

/** Whether orders can be filled on such data. */
export const hasFills = (evidence: Evidence): boolean => EVIDENCE.indexOf(evidence) < EVIDENCE.indexOf('trades');

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
  /** The middle of a book that is not known: a price to judge by, at which nothing can be filled. */
  | { readonly type: 'mid'; readonly price: Price }
  /** Another price grid. */
  | ({ readonly type: 'tick' } & PriceGrid)
  /** The market's metadata anew: accepting orders, its start, its result. */
  | { readonly type: 'market'; readonly market: Market }
  /** Something may have been missed; the book is not to be trusted until the next `book`. */
  | { readonly type: 'gap'; readonly reason: string };

/** A change, and when it was received; within a stream, times never go back. */
export type MarketEvent = MarketChange & { readonly at: Date };
