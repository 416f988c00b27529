const SECOND_MS = 1000;

/** How often each is looked at, and how many in a second at most. */
export interface RoundLimits {
  readonly everyMs: number;
  readonly mostPerSecond: number;
}

/**
 * Looks at each of many things once in a while, the longest unseen first. Of more than the pace is good for, each comes later,
 * one after another.
 */
export class PacedRounds<Item> {
  /** Since which second each waits, the longest first. */
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

  /** Begins to wait with this one, or waits anew: it counts as looked at. */
  touch(item: Item): void {
    this.#waiting.delete(item);
    this.#waiting.set(item, this.#second);
    this.#timer ??= setInterval(() => this.#round(), SECOND_MS).unref();
  }

  /** It is looked at no more; without any, no timer is left. */
  remove(item: Item): void {
    this.#waiting.delete(item);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Those that are looked at, in no particular order. */
  all(): readonly Item[] {
    return [...this.#waiting.keys()];
  }

  /** Looks at nothing any more. */
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
