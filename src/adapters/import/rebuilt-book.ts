import type { BookSide, Level, LevelChange, MarketChange } from '../../core/market/event.js';
import type { Side } from '../../core/market/side.js';
import { ONE, type Price, type Shares } from '../../core/money.js';

/** What was found while books were made again, by name. */
export class Counts extends Map<string, number> {
  add(name: string, count = 1): void {
    if (count > 0) this.set(name, (this.get(name) ?? 0) + count);
  }
}

/** A price and its shares, in whole millionths: numbers of that size are exact. */
export type WholeLevel = readonly [price: number, shares: number];

/** A new total of a level. */
export interface WholeChange {
  readonly side: BookSide;
  readonly price: number;
  readonly shares: number;
}

/** The best prices that the venue stated beside a change; NaN where it stated none. */
export interface StatedBest {
  readonly bid: number;
  readonly ask: number;
}

/** 1 in millionths. */
export const WHOLE = Number(ONE);

/** Whether this is a price of an order: a side without orders is stated as 0 or 1, or not at all. */
export const isInside = (price: number): boolean => price > 0 && price < WHOLE;

const EATEN_BY = { BUY: 'asks', SELL: 'bids' } as const;

/** One side of a book by price, which knows its best one. */
class Ladder {
  readonly levels = new Map<number, number>();
  #best = Number.NaN;

  constructor(private readonly isBetter: (a: number, b: number) => boolean) {}

  /** NaN where there is none. */
  get best(): number {
    return this.#best;
  }

  set(price: number, shares: number): void {
    if (shares === 0) this.#remove(price);
    else {
      this.levels.set(price, shares);
      if (!this.isBetter(this.#best, price)) this.#best = price;
    }
  }

  #remove(price: number): void {
    if (!this.levels.delete(price) || price !== this.#best) return;
    this.#best = Number.NaN;
    for (const other of this.levels.keys()) if (!this.isBetter(this.#best, other)) this.#best = other;
  }

  clear(): void {
    this.levels.clear();
    this.#best = Number.NaN;
  }

  /** The prices that are better than this one. */
  better(than: number): readonly number[] {
    return this.isBetter(this.#best, than) ? [...this.levels.keys()].filter((price) => this.isBetter(price, than)) : [];
  }
}

/**
 * The book of one market, made again from changes that lack some: an archive says nothing of a level that a match took away, unless
 * a whole book follows. Levels that are better than the best one that the venue states are gone, and one that is stated and lacks
 * makes a gap.
 */
export class RebuiltBook {
  readonly #sides = { bids: new Ladder((a, b) => a > b), asks: new Ladder((a, b) => a < b) };
  #isWhole = false;
  /** When the last whole book came. */
  #bookAt = Number.NaN;
  /** What matches took of levels, until a book or the level itself says what is left. */
  #eaten: WholeChange[] = [];

  constructor(private readonly counts: Counts) {}

  /** Whether a whole book came, and nothing was missed since. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** A whole book, which holds what matches of the same moment left. */
  book(bids: readonly WholeLevel[], asks: readonly WholeLevel[], at: number): MarketChange {
    this.counts.add('books');
    const kept = { bids: this.#usable(bids), asks: this.#usable(asks) };
    for (const side of ['bids', 'asks'] as const) {
      this.#sides[side].clear();
      for (const [price, shares] of kept[side]) this.#sides[side].set(price, shares);
    }
    if (this.#sides.bids.best >= this.#sides.asks.best) this.counts.add('crossed_books');
    this.#eaten = [];
    this.#isWhole = true;
    this.#bookAt = at;
    return { type: 'book', bids: kept.bids.map(levelOf), asks: kept.asks.map(levelOf) };
  }

  #usable(levels: readonly WholeLevel[]): readonly WholeLevel[] {
    const inside = levels.filter(([price]) => isInside(price));
    this.counts.add('prices_out_of_range', levels.length - inside.length);
    return inside.filter(([, shares]) => shares > 0);
  }

  /** What is offered at a price; 0 where nothing is. */
  sharesAt(side: BookSide, price: number): number {
    return this.#sides[side].levels.get(price) ?? 0;
  }

  /** New totals that came at one moment, with the best prices that the venue stated last. */
  levels(changes: readonly WholeChange[], stated: StatedBest): readonly MarketChange[] {
    if (!this.#isWhole) {
      this.counts.add('orphan_deltas', changes.length);
      return [];
    }
    this.counts.add('changes', changes.length);
    const all = this.#eaten.length === 0 ? changes : [...this.#left(changes), ...changes];
    for (const { side, price, shares } of all) this.#sides[side].set(price, shares);
    const ghosts = this.#ghosts(stated);
    const changed: MarketChange = {
      type: 'levels',
      changes: (ghosts.length === 0 ? all : [...all, ...ghosts]).map(changeOf),
    };
    if (this.#holds(stated)) return [changed];
    this.counts.add('best_missing');
    return [changed, this.gap('the best price that the venue states is missing')];
  }

  /** A match, in terms of the first outcome. */
  trade(price: number, shares: number, taker: Side, at: number): MarketChange {
    this.counts.add('trades');
    if (this.#isWhole && this.#bookAt !== at) this.#eaten.push({ side: EATEN_BY[taker], price, shares });
    return { type: 'trade', price: BigInt(price) as Price, shares: BigInt(shares) as Shares, taker };
  }

  /** What is no longer known until the next whole book. */
  gap(reason: string): MarketChange {
    this.#isWhole = false;
    this.#eaten = [];
    return { type: 'gap', reason };
  }

  /** What matches left of levels, where neither a book nor one of these changes said so. */
  #left(changes: readonly WholeChange[]): readonly WholeChange[] {
    const left: WholeChange[] = [];
    const isSame = (a: WholeChange) => (b: WholeChange) => a.side === b.side && a.price === b.price;
    for (const eaten of this.#eaten) {
      if (changes.some(isSame(eaten))) continue;
      const { side, price } = eaten;
      const known = left.findIndex(isSame(eaten));
      const before = left[known]?.shares ?? this.#sides[side].levels.get(price);
      if (before === undefined) continue;
      this.counts.add('assumed_eaten');
      const change = { side, price, shares: Math.max(0, before - eaten.shares) };
      if (known < 0) left.push(change);
      else left[known] = change;
    }
    this.#eaten = [];
    return left;
  }

  /** Levels better than the best one that the venue states, which are taken away. */
  #ghosts({ bid, ask }: StatedBest): readonly WholeChange[] {
    const { bids, asks } = this.#sides;
    const [hasBid, hasAsk] = [isInside(bid), isInside(ask)];
    if (!hasBid && !hasAsk) return [];
    const isAgreed = (!hasBid || bids.best === bid) && (!hasAsk || asks.best === ask);
    this.counts.add(isAgreed ? 'best_agreed' : 'best_differed');
    if (isAgreed) return [];
    const gone = [
      ...(hasBid ? bids.better(bid).map((price): WholeChange => ({ side: 'bids', price, shares: 0 })) : []),
      ...(hasAsk ? asks.better(ask).map((price): WholeChange => ({ side: 'asks', price, shares: 0 })) : []),
    ];
    for (const { side, price } of gone) this.#sides[side].set(price, 0);
    this.counts.add('ghosts_removed', gone.length);
    return gone;
  }

  #holds({ bid, ask }: StatedBest): boolean {
    const { bids, asks } = this.#sides;
    return (!isInside(bid) || bids.levels.has(bid)) && (!isInside(ask) || asks.levels.has(ask));
  }

  /** Whether a whole book of the other outcome is the mirror of this one. */
  mirrors(bids: readonly WholeLevel[], asks: readonly WholeLevel[]): boolean {
    const same = ({ levels: own }: Ladder, levels: readonly WholeLevel[]) => {
      const shown = levels.filter(([price, shares]) => isInside(price) && shares > 0);
      return shown.length === own.size && shown.every(([price, shares]) => own.get(WHOLE - price) === shares);
    };
    return same(this.#sides.asks, bids) && same(this.#sides.bids, asks);
  }
}

const levelOf = ([price, shares]: WholeLevel): Level => ({
  price: BigInt(price) as Price,
  shares: BigInt(shares) as Shares,
});
const changeOf = ({ side, price, shares }: WholeChange): LevelChange => ({
  side,
  price: BigInt(price) as Price,
  shares: BigInt(shares) as Shares,
});
