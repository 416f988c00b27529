const SECOND_MS = 1000;

/** How often each item is visited, and how many in a second at most. */
export interface RoundLimits {
  readonly everyMs: number;
  readonly mostPerSecond: number;
}

/**
 * Visits each of many items periodically, the longest unvisited first. With more items than the pace allows, each is visited
 * later, one after another.
 */
export class PacedRounds<Item> {
  /** The second since which each item waits, the longest first. */
  readonly #waiting = new Map<Item, number>();
  readonly #everySeconds: number;
  readonly #mostPerSecond: number;
  #second = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { everyMs, mostPerSecond }: RoundLimits,
    private readonly look: (item: Item) => void,
  ) {
    this.#everySeconds = Math.ceil(everyMs / SECOND_MS);
    this.#mostPerSecond = mostPerSecond;
  }

  /** Starts the wait of this item, or restarts it: it counts as visited. */
  touch(item: Item): void {
    this.#waiting.delete(item);
    this.#waiting.set(item, this.#second);
    this.#timer ??= setInterval(() => this.#round(), SECOND_MS).unref();
  }

  /** The item is no longer visited; without items no timer is left. */
  remove(item: Item): void {
    this.#waiting.delete(item);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** The items that are visited, in no particular order. */
  all(): readonly Item[] {
    return [...this.#waiting.keys()];
  }

  /** Stops all visits. */
  close(): void {
    for (const item of this.all()) this.remove(item);
  }

  #round(): void {
    this.#second += 1;
    let left = this.#mostPerSecond;
    for (const [item, since] of this.#waiting) {
      if (left === 0 || this.#second - since < this.#everySeconds) return;
      left -= 1;
      this.touch(item);
      this.look(item);
    }
  }
}
