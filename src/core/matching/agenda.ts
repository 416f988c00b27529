/** Something that is due at a moment. */
interface Entry<T> {
  readonly at: number;
  readonly what: T;
}

/** What is due when, in order of time; at one moment, in the order in which it was put down. */
export class Agenda<T> {
  readonly #entries: Entry<T>[] = [];

  /** The earliest moment at which something is due, in milliseconds. */
  get next(): number | undefined {
    return this.#entries[0]?.at;
  }

  put(at: number, what: T): void {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#entries[middle]?.at ?? at) <= at) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { at, what });
  }

  /** Takes out the earliest entry that is due before `to`, or at it when that is included. */
  take(to: number, included: boolean): Entry<T> | undefined {
    const first = this.#entries[0];
    if (first === undefined || first.at > to || (first.at === to && !included)) return undefined;
    return this.#entries.shift();
  }
}
