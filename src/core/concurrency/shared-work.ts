/** Work for one lane: what is under way, and what waits. */
interface Lane {
  readonly waiting: Map<string, Promise<unknown>>;
  last: Promise<unknown> | null;
}

/**
 * Work that grows with what an account has: one piece at a time in each lane, and done once for all who ask for the same before it
 * begins. Whoever asks while it is under way gets the next one, so no answer is older than its request.
 */
export class SharedWork {
  readonly #lanes = new Map<string, Lane>();

  /** @param lane whose work it is. @param name what it is, among the work of this lane. */
  do<T>(lane: string, name: string, work: () => Promise<T>): Promise<T> {
    const own: Lane = this.#lanes.get(lane) ?? { waiting: new Map(), last: null };
    const same = own.waiting.get(name);
    if (same !== undefined) return same as Promise<T>;
    const begin = () => {
      own.waiting.delete(name);
      return work();
    };
    const begun = own.last === null ? work() : own.last.then(begin, begin);
    if (own.last !== null) own.waiting.set(name, begun);
    own.last = begun;
    this.#lanes.set(lane, own);
    const end = () => {
      if (own.last === begun) this.#lanes.delete(lane);
    };
    begun.then(end, end);
    return begun;
  }
}
