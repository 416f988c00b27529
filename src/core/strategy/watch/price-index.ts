import { ONE, type Price } from '../../money.js';

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

  get size(): number {
    return this.#groupOf.size;
  }

  /** Adds the entry, or moves it to another range. An empty range contains no price. */
  put(entry: Entry, range: PriceRange): void {
    this.remove(entry);
    const group = this.#groupFor(range);
    group.entries.set(entry, range);
    this.#groupOf.set(entry, group);
  }

  remove(entry: Entry): void {
    const group = this.#groupOf.get(entry);
    if (group === undefined) return;
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
  at(price: Price): Entry[] {
    const found: Entry[] = [];
    for (let node = LEAVES + leafOf(price); node >= 1; node >>= 1) {
      for (const { entries } of this.#nodes.get(node) ?? [])
        for (const [entry, { from, to }] of entries) if (from <= price && price <= to) found.push(entry);
    }
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
