import type { StrategyId } from '../../ids.js';
import { Book, type BookView, bookOf, bookOfMid } from '../../market/book.js';
import type { BookSide, Level, MarketEvent } from '../../market/event.js';
import { type Market, OUTCOME_SIDES, type OutcomeSide, withGrid } from '../../market/market.js';
import { ONE, type Price } from '../../money.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { Watcher } from './watcher.js';

/** A market that is followed, as it is now, and the strategies that may bet on it. */
export class WatchedMarket {
  #market: Market;
  #book = new Book();
  #at: Date | null = null;
  #isFresh = false;
  #revision = 0;
  readonly #watchers: Readonly<Record<OutcomeSide, Map<StrategyId, Watcher>>> = { YES: new Map(), NO: new Map() };
  /** Watchers that have to be judged at every change. */
  readonly #waiting = new Set<Watcher>();
  /** Watchers whose refused bet waits for something. */
  readonly #held = new Set<Watcher>();
  /** By the best offer of what would be bought. */
  readonly #byPrice: Readonly<Record<OutcomeSide, PriceIndex<Watcher>>> = {
    YES: new PriceIndex(),
    NO: new PriceIndex(),
  };

  constructor(market: Market) {
    this.#market = market;
  }

  get market(): Market {
    return this.#market;
  }

  /** Grows with every change of the market and its book. */
  get revision(): number {
    return this.#revision;
  }

  *watchers(): Generator<Watcher> {
    for (const outcome of OUTCOME_SIDES) yield* this.#watchers[outcome].values();
  }

  /** A strategy's interest in an outcome. */
  watcher(strategy: StrategyId, outcome: OutcomeSide): Watcher | undefined {
    return this.#watchers[outcome].get(strategy);
  }

  has(watcher: Watcher): boolean {
    return this.watcher(watcher.strategy.id, watcher.outcome) === watcher;
  }

  /** True while the book can be trusted. */
  get isFresh(): boolean {
    return this.#isFresh;
  }

  /** Takes in what the venue reported. */
  apply(event: MarketEvent): void {
    if (event.type !== 'trade') this.#revision += 1;
    switch (event.type) {
      case 'book':
        this.#book = bookOf(event);
        this.#isFresh = !this.#book.crossed;
        break;
      case 'levels':
        for (const { side, price, shares } of event.changes) this.#book.set(side, price, shares);
        break;
      case 'tick':
        this.#market = withGrid(this.#market, event);
        return;
      case 'market':
        this.renew(event.market);
        return;
      case 'gap':
        this.lose();
        return;
      case 'mid':
        this.#book = bookOfMid(event.price);
        this.#isFresh = true;
        break;
      case 'trade':
        return;
    }
    this.#at = event.at;
  }

  /** Marks the book as out of date: the market is followed no longer. */
  lose(): void {
    this.#revision += 1;
    this.#isFresh = false;
  }

  /** Takes in its metadata anew. */
  renew(market: Market): void {
    const isCharged = mostFee(market) !== mostFee(this.#market);
    this.#revision += 1;
    this.#market = market;
    if (isCharged) for (const watcher of [...this.watchers()]) this.put(watcher);
  }

  /** Adds a strategy's interest in an outcome, or takes in its new rules, or what became of its bet. */
  put(watcher: Watcher): void {
    this.remove(watcher);
    this.#watchers[watcher.outcome].set(watcher.strategy.id, watcher);
    if (watcher.waitsForChange) this.#waiting.add(watcher);
    if (watcher.isHeld) this.#held.add(watcher);
    if (!watcher.isDone) this.#byPrice[watcher.buys].put(watcher, pricesWithin(watcher.rules.filter, this.#market));
  }

  remove(watcher: Watcher): void {
    if (this.has(watcher)) this.#watchers[watcher.outcome].delete(watcher.strategy.id);
    this.#waiting.delete(watcher);
    this.#held.delete(watcher);
    for (const index of Object.values(this.#byPrice)) index.remove(watcher);
  }

  /** When time alone may next let a strategy bet; infinite for never. */
  readyAt(now: Date): number {
    let first = Number.POSITIVE_INFINITY;
    for (const watcher of this.watchers()) first = Math.min(first, watcher.readyAt(this.#market, now));
    return first;
  }

  /**
   * The watchers to judge now: those whose bounds of odds contain the best offer, and those that wait for a condition to be
   * false. The others would skip, whatever else is true. Older strategies come first, whichever was judged last: what they bet at one
   * moment goes on record in one order.
   */
  due(): Watcher[] {
    this.#showHeld();
    const due = new Set<Watcher>();
    for (const buys of OUTCOME_SIDES) {
      const offer = this.#bestOffer(buys);
      if (offer !== null) for (const watcher of this.#byPrice[buys].at(offer)) due.add(watcher);
    }
    for (const watcher of this.#waiting)
      if (watcher.waitsForChange) due.add(watcher);
      else this.#waiting.delete(watcher);
    return due.size === 0 ? [] : [...due].sort(byStrategy);
  }

  /** Those of the due watchers that time alone has let bet at this moment. */
  dueSince(at: number): Watcher[] {
    const before = new Date(at - 1);
    return this.due().filter((watcher) => watcher.readyAt(this.#market, before) === at);
  }

  /** Those whose refused bet waits for something. */
  held(): Watcher[] {
    return this.#held.size === 0 ? [] : [...this.#held].filter(({ isHeld }) => isHeld);
  }

  /** The due watchers, except those whose last skip still holds. */
  dueAgain(): Watcher[] {
    return this.due().filter((watcher) => !watcher.wouldSkipAgain(this.#revision));
  }

  /** The price may have moved although nobody looks at it: a refused bet is asked again then. A gap is no price. */
  #showHeld(): void {
    if (!this.#isFresh || this.#at === null) return;
    for (const watcher of this.#held) {
      watcher.moved(this.#bestOffer(watcher.buys), this.#at);
      if (!watcher.isHeld) this.#held.delete(watcher);
    }
  }

  /** The best offer of an outcome; null without one, and while the book is not to be trusted. */
  #bestOffer(buys: OutcomeSide): Price | null {
    if (!this.#isFresh) return null;
    if (buys === 'YES') return this.#book.best('asks')?.price ?? null;
    const bid = this.#book.best('bids');
    return bid === undefined ? null : ((ONE - bid.price) as Price);
  }

  /** The best level of a side, in terms of the first outcome, be it to be trusted or not. */
  best(side: BookSide): Level | undefined {
    return this.#book.best(side);
  }

  /** The market and its book, best level first; its `fresh` is false after a gap. */
  view(): MarketWithBook {
    if (this.#at === null) return { market: this.#market, book: null };
    const book = { bids: this.#book.side('bids'), asks: this.#book.side('asks'), at: this.#at, fresh: this.#isFresh };
    return { market: this.#market, book };
  }
}

/** Ids of strategies sort by when they were made. */
function byStrategy(a: Watcher, b: Watcher): number {
  const [first, second] = [a.strategy.id, b.strategy.id];
  if (first !== second) return first < second ? -1 : 1;
  return a.outcome === b.outcome ? 0 : a.outcome === 'YES' ? -1 : 1;
}

/**
 * Outside of these best offers of what would be bought, the odds bounds of the rules cannot hold: whatever the fee adds to
 * the price, it adds no more than `mostFee`. Inside, the decision tests them exactly.
 */
function pricesWithin({ minOdds, maxOdds, side }: TradingRules['filter'], market: Market): PriceRange {
  const fee = mostFee(market);
  const dearest = minOdds === null ? ONE : (ONE * ONE) / minOdds;
  const cheapest = maxOdds === null ? 0n : (ONE * ONE) / maxOdds;
  if (side === 'BACK') return { from: (cheapest - fee) as Price, to: dearest as Price };
  // LAY buys the complement for 1 less the price of the outcome that odds are of.
  return { from: (ONE - dearest - fee - 1n) as Price, to: (ONE - cheapest) as Price };
}

/** The most that one share is charged, at any price: the whole rate where the schedule charges regardless of the price. */
function mostFee({ terms }: Market): bigint {
  const fee = terms?.fee ?? null;
  if (fee === null) return ONE;
  const rate = fee.rate > (fee.makerRate ?? 0n) ? fee.rate : (fee.makerRate ?? 0n);
  return fee.exponent === 0 ? rate + 1n : rate / 4n + 1n;
}

/** A range of prices, both ends included. */
export interface PriceRange {
  readonly from: Price;
  readonly to: Price;
}

/** Prices of one cent share a leaf; 128 leaves cover every price. */
const LEAVES = 128;
const LEAF = ONE / 100n;

/** Entries whose ranges begin and end in the same two leaves. */
interface Group<Entry> {
  readonly name: number;
  readonly nodes: readonly number[];
  readonly entries: Map<Entry, PriceRange>;
}

/**
 * Finds the entries whose range of prices contains a price. It visits those, and few others: a range lies in at most 14
 * nodes of a tree over the prices, and a price is in 8 of its nodes. Entries of one group share its place in the tree, so that one
 * entry costs little where many have the same bounds.
 */
export class PriceIndex<Entry> {
  readonly #nodes = new Map<number, Set<Group<Entry>>>();
  readonly #groups = new Map<number, Group<Entry>>();
  readonly #groupOf = new Map<Entry, Group<Entry>>();
  /** What was found last: most changes of a book leave its best prices as they are. */
  #last: { readonly price: Price; readonly found: readonly Entry[] } | null = null;

  get size(): number {
    return this.#groupOf.size;
  }

  /** Adds the entry, or moves it to another range. An empty range contains no price. */
  put(entry: Entry, range: PriceRange): void {
    this.remove(entry);
    const group = this.#groupFor(range);
    this.#last = null;
    group.entries.set(entry, range);
    this.#groupOf.set(entry, group);
  }

  remove(entry: Entry): void {
    const group = this.#groupOf.get(entry);
    if (group === undefined) return;
    this.#last = null;
    this.#groupOf.delete(entry);
    group.entries.delete(entry);
    if (group.entries.size > 0) return;
    this.#groups.delete(group.name);
    for (const node of group.nodes) {
      const groups = this.#nodes.get(node);
      groups?.delete(group);
      if (groups?.size === 0) this.#nodes.delete(node);
    }
  }

  /** In no order. */
  at(price: Price): readonly Entry[] {
    if (this.#last?.price === price) return this.#last.found;
    const found: Entry[] = [];
    for (let node = LEAVES + leafOf(price); node >= 1; node >>= 1) {
      for (const { entries } of this.#nodes.get(node) ?? [])
        for (const [entry, { from, to }] of entries) if (from <= price && price <= to) found.push(entry);
    }
    this.#last = { price, found };
    return found;
  }

  #groupFor(range: PriceRange): Group<Entry> {
    const isEmpty = range.from > range.to;
    const name = isEmpty ? -1 : leafOf(range.from) * LEAVES + leafOf(range.to);
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group: Group<Entry> = { name, nodes: [...nodesOf(range)], entries: new Map() };
    this.#groups.set(name, group);
    for (const node of group.nodes) {
      const groups = this.#nodes.get(node);
      if (groups === undefined) this.#nodes.set(node, new Set([group]));
      else groups.add(group);
    }
    return group;
  }
}

/** The last leaf that does not begin above the price; the first and the last one also stand for prices out of bounds. */
function leafOf(price: bigint): number {
  let leaf = 0;
  for (let half = LEAVES >> 1; half >= 1; half >>= 1) if (price >= BigInt(leaf + half) * LEAF) leaf += half;
  return leaf;
}

/** The fewest nodes of a binary heap whose leaves are those of the range: node 1 is the root, a node's children are 2n and 2n + 1. */
function* nodesOf({ from, to }: PriceRange): Generator<number> {
  if (from > to) return;
  let low = LEAVES + leafOf(from);
  let high = LEAVES + leafOf(to) + 1;
  for (; low < high; low >>= 1, high >>= 1) {
    if (low % 2 === 1) yield low++;
    if (high % 2 === 1) yield --high;
  }
}

/** A market, and its book in terms of its first outcome; null where it is not known. */
export interface MarketWithBook {
  readonly market: Market;
  readonly book: BookView | null;
}

/** A market as it is at one moment, and all other markets of its exclusive set. */
export interface MarketView extends MarketWithBook {
  readonly others: readonly MarketWithBook[];
}

/** A market, and its view at any moment with the others of its set. */
export interface JudgedMarket {
  readonly watched: WatchedMarket;
  readonly viewNow: () => MarketView;
}
