/** Values by key: those used last, of at most so many. */
export class RecentMap<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(private readonly limit: number) {}

  /** All that it has now. */
  get all(): ReadonlyMap<string, V> {
    return new Map([...this.#old, ...this.#young]);
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.put(key, old);
    return old;
  }

  // Two halves: the older one goes at once when the younger one is full, so that nothing is sorted by its last use.
  put(key: string, value: V): void {
    this.#young.set(key, value);
    if (this.#young.size <= this.limit / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }
}
