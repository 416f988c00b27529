import { minus, NO_SHARES, ONE, type Price, type Shares } from '../money.js';
import type { BookSide, Level, LevelChange } from './event.js';
import type { OutcomeSide } from './market.js';

/** A book at one moment: best level first on both sides. */
export interface BookView {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** When its newest part was received. */
  readonly at: Date;
  /** False after a gap: then nothing may be filled against it. */
  readonly fresh: boolean;
}

/**
 * The book of one market, in terms of its first outcome. Sides are kept sorted with the best level last, where nearly all
 * changes happen. Every update of a level makes a new object, so that the holder of a level can see whether it has changed.
 */
export class Book {
  readonly #sides: Record<BookSide, Level[]> = { bids: [], asks: [] };

  /** All levels of a side, best one first. */
  side(side: BookSide): readonly Level[] {
    return this.#sides[side].slice().reverse();
  }

  /** The level that an order on the other side would meet first. */
  best(side: BookSide): Level | undefined {
    return this.#sides[side].at(-1);
  }

  /** The level at this place, counted from the best, which is 0. */
  at(side: BookSide, index: number): Level | undefined {
    const levels = this.#sides[side];
    return levels[levels.length - 1 - index];
  }

  /** The level at this price. */
  level(side: BookSide, price: Price): Level | undefined {
    const found = this.#sides[side][this.#place(side, price)];
    return found?.price === price ? found : undefined;
  }

  /** How many levels a side has. */
  depth(side: BookSide): number {
    return this.#sides[side].length;
  }

  /** True when its sides cross or meet: such orders would have matched, so something in it is out of date. */
  get crossed(): boolean {
    const [bid, ask] = [this.best('bids'), this.best('asks')];
    return bid !== undefined && ask !== undefined && bid.price >= ask.price;
  }

  /** Replaces everything with these levels, which may come in any order; empty ones are left out. */
  replace(bids: readonly Level[], asks: readonly Level[]): void {
    this.#sides.bids = sorted(bids, 1);
    this.#sides.asks = sorted(asks, -1);
  }

  /** Sets the total of one level, where zero removes it; returns the previous total. */
  set(side: BookSide, price: Price, shares: Shares): Shares {
    const levels = this.#sides[side];
    const place = this.#place(side, price);
    const there = levels[place];
    const known = there?.price === price;
    if (shares === 0n) levels.splice(place, known ? 1 : 0);
    else if (known) levels[place] = { price, shares };
    else levels.splice(place, 0, { price, shares });
    return known ? there.shares : NO_SHARES;
  }

  /** The first place whose level is not worse than this price. */
  #place(side: BookSide, price: Price): number {
    const levels = this.#sides[side];
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = levels[middle]?.price ?? price;
      if (side === 'bids' ? other < price : other > price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sorted(levels: readonly Level[], direction: 1 | -1): Level[] {
  const totals = new Map<Price, Level>();
  for (const level of levels) if (level.shares > 0n) totals.set(level.price, { ...level });
  return [...totals.values()].sort((a, b) => (a.price < b.price ? -direction : direction));
}

/** Both sides of a book, levels in any order, in terms of the first outcome. */
export type BookSides = Readonly<Record<BookSide, readonly Level[]>>;

/** A book of these levels. */
export function bookOf({ bids, asks }: BookSides): Book {
  const book = new Book();
  book.replace(bids, asks);
  return book;
}

/** The book after these changes, made in their order; best level first on both sides. */
export function withChanges(sides: BookSides, changes: readonly LevelChange[]): BookSides {
  const book = bookOf(sides);
  for (const { side, price, shares } of changes) book.set(side, price, shares);
  return { bids: book.side('bids'), asks: book.side('asks') };
}

/**
 * A book by which rules can judge a middle alone, as if both outcomes were offered at it without an end. Its bid is a millionth below: at
 * one price both sides would meet.
 */
export const bookOfMid = (mid: Price): Book =>
  bookOf({ bids: [{ price: minus(mid, LEAST), shares: ENDLESS }], asks: [{ price: mid, shares: ENDLESS }] });

const LEAST = 1n as Price;
const ENDLESS = (1_000_000n * ONE) as Shares;

/** True when a book of these levels, in any order, would be crossed. */
export function isCrossed({ bids, asks }: BookSides): boolean {
  let [bid, ask]: (Price | undefined)[] = [];
  for (const { price, shares } of bids) if (shares > 0n && (bid === undefined || price > bid)) bid = price;
  for (const { price, shares } of asks) if (shares > 0n && (ask === undefined || price < ask)) ask = price;
  return bid !== undefined && ask !== undefined && bid >= ask;
}

/** A price of one outcome seen from the other: a bid for one at p is an offer of the other at 1 − p. */
export const mirrored = (price: Price): Price => (ONE - price) as Price;

/** The book as holders of `outcome` see it: the second outcome's is the first's, mirrored. */
export function seenFrom(outcome: OutcomeSide, view: BookView): BookView {
  if (outcome === 'YES') return view;
  const mirror = ({ price, shares }: Level): Level => ({ price: mirrored(price), shares });
  return { ...view, bids: view.asks.map(mirror), asks: view.bids.map(mirror) };
}

/** The best price at which an outcome could be bought, and the middle between that and the best bid. */
export interface QuotedPrices {
  readonly best: Price | null;
  /** Null where a side of the book was empty. */
  readonly mid: Price | null;
}

/** The prices of an outcome by a book; a mid between two micro-dollars is the lower one. */
export function quotedBy(outcome: OutcomeSide, sides: Pick<BookView, 'bids' | 'asks'>): QuotedPrices {
  const { bid, ask } = bestPrices(outcome, sides);
  return quotedFrom(bid ?? null, ask ?? null);
}

/** The same from its best prices. */
export const quotedFrom = (bid: Price | null, ask: Price | null): QuotedPrices => ({
  best: ask,
  mid: bid === null || ask === null ? null : (((bid + ask) / 2n) as Price),
});

/** The best prices as holders of `outcome` see them, without a look at the other levels. */
export function bestPrices(outcome: OutcomeSide, { bids, asks }: Pick<BookView, 'bids' | 'asks'>) {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (outcome === 'YES') return { bid, ask };
  return { bid: ask && mirrored(ask), ask: bid && mirrored(bid) };
}
