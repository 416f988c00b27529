/** One kind of record: those loaded, and those put since. */
export class Records<Key, T> {
  readonly #known = new Map<string, T>();
  readonly #changed = new Map<string, T>();
  /** Those that changed since, as they were. */
  readonly #loaded = new Map<string, T>();

  constructor(private readonly name: (key: Key) => string) {}

  get(key: Key): T | undefined {
    return this.#known.get(this.name(key));
  }

  /** Takes in a record as it is stored. */
  load(key: Key, record: T): void {
    this.#known.set(this.name(key), record);
  }

  /** Takes in a record as it was stored, unless one is known: that one is newer. */
  offer(key: Key, record: T): void {
    const name = this.name(key);
    if (!this.#known.has(name)) this.#known.set(name, record);
  }

  /** Takes in what `before` is to store, as if it were stored. */
  follow(before: Records<Key, T>): void {
    for (const [name, record] of before.#changed) this.#known.set(name, record);
  }

  /** Takes in a record that is to be stored. */
  put(key: Key, record: T): void {
    const name = this.name(key);
    const before = this.#known.get(name);
    if (before !== undefined && !this.#changed.has(name)) this.#loaded.set(name, before);
    this.#known.set(name, record);
    this.#changed.set(name, record);
  }

  /** A record that changed as it is stored until then; undefined where it is not. */
  loaded(key: Key): T | undefined {
    return this.#loaded.get(this.name(key));
  }

  putAll(records: readonly T[] | undefined, keyOf: (record: T) => Key): void {
    for (const record of records ?? []) this.put(keyOf(record), record);
  }

  drop(key: Key): void {
    for (const records of [this.#known, this.#changed, this.#loaded]) records.delete(this.name(key));
  }

  all(): T[] {
    return [...this.#known.values()];
  }

  changed(): T[] {
    return [...this.#changed.values()];
  }
}
