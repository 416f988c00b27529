import type { Level, LevelChange, MarketChange } from '../../core/market/event.js';
import type { Side } from '../../core/market/side.js';
import { minus, ONE, type Price, type Shares } from '../../core/money.js';

/** What was found while books were made again, by name. */
export class Counts extends Map<string, number> {
  add(name: string, count = 1): void {
    this.set(name, (this.get(name) ?? 0) + count);
  }
}

/** Sides of a book by price. */
type Ladder = Map<bigint, bigint>;

/** The best prices that the venue stated beside a change; null where it stated none. */
export interface StatedBest {
  readonly bid: bigint | null;
  readonly ask: bigint | null;
}

const EATEN_BY = { BUY: 'asks', SELL: 'bids' } as const;

/**
 * The book of one market, made again from changes that lack some: an archive says nothing of a level that a match took away, unless
 * a whole book follows. Levels that are better than the best one that the venue states are gone, and one that is stated and lacks
 * makes a gap.
 */
export class RebuiltBook {
  readonly #sides: { readonly bids: Ladder; readonly asks: Ladder } = { bids: new Map(), asks: new Map() };
  #isWhole = false;
  /** When the last whole book came. */
  #bookAt: number | null = null;
  /** What matches took of levels, until a book or the level itself says what is left. */
  #eaten: LevelChange[] = [];

  constructor(private readonly counts: Counts) {}

  /** Whether a whole book came, and nothing was missed since. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** A whole book, which holds what matches of the same moment left. */
  book(bids: readonly Level[], asks: readonly Level[], at: number): MarketChange {
    this.counts.add('books');
    const kept = { bids: this.#usable(bids), asks: this.#usable(asks) };
    for (const side of ['bids', 'asks'] as const) {
      this.#sides[side].clear();
      for (const { price, shares } of kept[side]) this.#sides[side].set(price, shares);
    }
    if (isCrossed(bestOf(this.#sides.bids, 'bids'), bestOf(this.#sides.asks, 'asks'))) this.counts.add('crossed_books');
    this.#eaten = [];
    this.#isWhole = true;
    this.#bookAt = at;
    return { type: 'book', ...kept };
  }

  #usable(levels: readonly Level[]): readonly Level[] {
    const inside = levels.filter(({ price }) => price > 0n && price < ONE);
    this.counts.add('prices_out_of_range', levels.length - inside.length);
    return inside.filter(({ shares }) => shares > 0n);
  }

  /** New totals that came at one moment, with the best prices that the venue stated last. */
  levels(changes: readonly LevelChange[], stated: StatedBest): readonly MarketChange[] {
    if (!this.#isWhole) {
      this.counts.add('orphan_deltas', changes.length);
      return [];
    }
    this.counts.add('changes', changes.length);
    const told = new Map(changes.map((change) => [`${change.side} ${change.price}`, change]));
    const eaten = this.#eaten.filter(({ side, price }) => !told.has(`${side} ${price}`));
    this.#eaten = [];
    const all = [...this.#left(eaten), ...changes];
    for (const change of all) this.#set(change);
    const ghosts = this.#ghosts(stated);
    const changed: MarketChange = { type: 'levels', changes: [...all, ...ghosts] };
    if (this.#holds(stated)) return [changed];
    this.counts.add('best_missing');
    return [changed, this.gap('the best price that the venue states is missing')];
  }

  /** A match, in terms of the first outcome. */
  trade(price: Price, shares: Shares, taker: Side, at: number): MarketChange {
    this.counts.add('trades');
    if (this.#isWhole && this.#bookAt !== at) this.#eaten.push({ side: EATEN_BY[taker], price, shares });
    return { type: 'trade', price, shares, taker };
  }

  /** What is no longer known until the next whole book. */
  gap(reason: string): MarketChange {
    this.#isWhole = false;
    this.#eaten = [];
    return { type: 'gap', reason };
  }

  /** What matches left of levels, where neither a book nor the level itself said so. */
  #left(eaten: readonly LevelChange[]): readonly LevelChange[] {
    const totals = new Map<string, LevelChange>();
    for (const { side, price, shares } of eaten) {
      const before = totals.get(`${side} ${price}`)?.shares ?? this.#sides[side].get(price);
      if (before === undefined) continue;
      this.counts.add('assumed_eaten');
      const left = before > shares ? minus(before as Shares, shares) : (0n as Shares);
      totals.set(`${side} ${price}`, { side, price, shares: left });
    }
    return [...totals.values()];
  }

  #set({ side, price, shares }: LevelChange): void {
    if (shares === 0n) this.#sides[side].delete(price);
    else this.#sides[side].set(price, shares);
  }

  /** Levels better than the best one that the venue states, which are taken away. */
  #ghosts(stated: StatedBest): readonly LevelChange[] {
    const { bid, ask } = inside(stated);
    const { bids, asks } = this.#sides;
    const isSame = [
      ...(bid === null ? [] : [bestOf(bids, 'bids') === bid]),
      ...(ask === null ? [] : [bestOf(asks, 'asks') === ask]),
    ];
    if (isSame.length > 0) this.counts.add(isSame.every(Boolean) ? 'best_agreed' : 'best_differed');
    const gone: LevelChange[] = [
      ...(bid === null ? [] : [...bids.keys()].filter((price) => price > bid).map((price) => goneOf('bids', price))),
      ...(ask === null ? [] : [...asks.keys()].filter((price) => price < ask).map((price) => goneOf('asks', price))),
    ];
    for (const change of gone) this.#set(change);
    this.counts.add('ghosts_removed', gone.length);
    return gone;
  }

  #holds(stated: StatedBest): boolean {
    const { bid, ask } = inside(stated);
    return (bid === null || this.#sides.bids.has(bid)) && (ask === null || this.#sides.asks.has(ask));
  }

  /** Whether a whole book of the other outcome is the mirror of this one. */
  mirrors(bids: readonly Level[], asks: readonly Level[]): boolean {
    const same = (ladder: Ladder, levels: readonly Level[]) => {
      const shown = levels.filter(({ price, shares }) => price > 0n && price < ONE && shares > 0n);
      return shown.length === ladder.size && shown.every(({ price, shares }) => ladder.get(ONE - price) === shares);
    };
    return same(this.#sides.asks, bids) && same(this.#sides.bids, asks);
  }
}

const goneOf = (side: 'bids' | 'asks', price: bigint): LevelChange => ({
  side,
  price: price as Price,
  shares: 0n as Shares,
});

/** A side without an order is stated as 0 or 1, or not at all. */
function inside({ bid, ask }: StatedBest): StatedBest {
  const usable = (price: bigint | null) => (price !== null && price > 0n && price < ONE ? price : null);
  return { bid: usable(bid), ask: usable(ask) };
}

function bestOf(ladder: Ladder, side: 'bids' | 'asks'): bigint | null {
  let best: bigint | null = null;
  for (const price of ladder.keys()) if (best === null || (side === 'bids' ? price > best : price < best)) best = price;
  return best;
}

const isCrossed = (bid: bigint | null, ask: bigint | null): boolean => bid !== null && ask !== null && bid >= ask;
