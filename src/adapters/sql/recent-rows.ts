import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { Dialect } from './dialect.js';
import { RecentMap } from './recent-map.js';
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

/** What the rows under a key belong to, while that holds. */
export type Belonging = (key: string) => object | undefined;

interface Kept<T> {
  readonly to: object;
  readonly rows: readonly T[];
}

/**
 * Rows by the key under which they are read: those used last, of at most so many keys. It has them as long as they belong to
 * the same as when it took them in.
 */
export class RecentRows<T> {
  readonly #kept: RecentMap<Kept<T>>;

  constructor(
    readonly kind: RowKind<T>,
    limit: number,
    private readonly belonging: Belonging,
  ) {
    this.#kept = new RecentMap(limit);
  }

  /** All that it has now, by key. */
  get all(): ReadonlyMap<string, readonly T[]> {
    const holding = [...this.#kept.all].filter(([key, { to }]) => to === this.belonging(key));
    return new Map(holding.map(([key, { rows }]) => [key, rows]));
  }

  /** All rows under a key, as JSON; undefined where they have to be read. */
  get(key: string): readonly T[] | undefined {
    const kept = this.#kept.get(key);
    return kept !== undefined && kept.to === this.belonging(key) ? kept.rows : undefined;
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

  #put(key: string, rows: readonly T[]): void {
    const to = this.belonging(key);
    if (to !== undefined) this.#kept.put(key, { to, rows });
  }
}
