import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { Dialect } from './dialect.js';
import type { RowsWanted } from './tables.js';

/** The values by which rows are looked up. */
export type Key = readonly (string | boolean)[];

/** How rows of one kind are remembered. */
export interface RowKind<T> {
  readonly want: (dialect: Dialect) => RowsWanted<T>;
  readonly keyOf: (row: T) => Key;
  /** Whether two rows under one key are the same one at different times. */
  readonly isSame: (a: T, b: T) => boolean;
  /** All of it as text. */
  readonly textOf: (row: T) => string;
  /** Those that the decisions on a set changed. */
  readonly changedIn: (set: WorkingSet) => readonly T[];
}

/** Rows by the key under which they are read: those used last, of at most so many keys. */
export class RecentRows<T> {
  #young = new Map<string, readonly T[]>();
  #old = new Map<string, readonly T[]>();

  constructor(
    readonly kind: RowKind<T>,
    private readonly limit: number,
  ) {}

  /** All that it has now, by key. */
  get all(): ReadonlyMap<string, readonly T[]> {
    return new Map([...this.#old, ...this.#young]);
  }

  /** All rows under a key, as JSON; undefined where they have to be read. */
  get(key: string): readonly T[] | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#put(key, old);
    return old;
  }

  /** Takes in all rows under these keys as they were read: maybe before the decisions on a set were stored. */
  read(keys: readonly string[], rows: readonly T[], before: WorkingSet | null): void {
    for (const key of keys) this.#put(key, []);
    for (const row of rows) this.#replace(row);
    if (before !== null) this.learn(before);
  }

  /** Takes in what the decisions on a set changed, where the other rows under the same key are known. */
  learn(set: WorkingSet): void {
    for (const row of this.kind.changedIn(set)) this.#replace(row);
  }

  #replace(row: T): void {
    const key = JSON.stringify(this.kind.keyOf(row));
    const others = this.get(key)?.filter((other) => !this.kind.isSame(other, row));
    if (others !== undefined) this.#put(key, [...others, row]);
  }

  // Two halves: the older one goes at once when the younger one is full, so that nothing is sorted by its last use.
  #put(key: string, rows: readonly T[]): void {
    this.#young.set(key, rows);
    if (this.#young.size <= this.limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
