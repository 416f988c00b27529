import { ONE, type Price } from '../../money.js';

/** A range of prices, both ends included. */
export interface PriceRange {
  readonly from: Price;
  readonly to: Price;
}

/** Prices of one cent share a leaf; 128 leaves cover every price. */
const LEAVES = 128;
const LEAF = ONE / 100n;

/**
 * Finds the entries whose range of prices contains a price. It visits those, and few others: an entry lies in at most 14
 * nodes of a tree over the prices, and a price is in 8 of its nodes.
 */
export class PriceIndex<Entry> {
  readonly #nodes = new Map<number, Map<Entry, PriceRange>>();
  readonly #ranges = new Map<Entry, PriceRange>();

  get size(): number {
    return this.#ranges.size;
  }

  /** Adds the entry, or moves it to another range. An empty range contains no price. */
  put(entry: Entry, range: PriceRange): void {
    this.remove(entry);
    this.#ranges.set(entry, range);
    for (const node of nodesOf(range)) {
      const entries = this.#nodes.get(node);
      if (entries === undefined) this.#nodes.set(node, new Map([[entry, range]]));
      else entries.set(entry, range);
    }
  }

  remove(entry: Entry): void {
    const range = this.#ranges.get(entry);
    if (range === undefined) return;
    this.#ranges.delete(entry);
    for (const node of nodesOf(range)) {
      const entries = this.#nodes.get(node);
      entries?.delete(entry);
      if (entries?.size === 0) this.#nodes.delete(node);
    }
  }

  /** In no order. */
  at(price: Price): Entry[] {
    const found: Entry[] = [];
    for (let node = LEAVES + leafOf(price); node >= 1; node >>= 1) {
      for (const [entry, { from, to }] of this.#nodes.get(node) ?? [])
        if (from <= price && price <= to) found.push(entry);
    }
    return found;
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
