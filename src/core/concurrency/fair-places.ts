import type { AccountId } from '../ids.js';

/**
 * Places that accounts share. A place that becomes free goes to the next account in rotation, and the last quarter of them only
 * to accounts that hold none: however much one account has queued, the work of another one begins.
 */
export class FairPlaces<Waiting> {
  readonly #held = new Map<AccountId, number>();
  readonly #urgent = new Map<AccountId, Set<Waiting>>();
  readonly #others = new Map<AccountId, Set<Waiting>>();
  readonly #shared: number;
  #taken = 0;

  /** @param most how many places there are: four at least */
  constructor(private readonly most: number) {
    this.#shared = most - (most >> 2);
  }

  /** Whether the account may take a place now. */
  isFree(account: AccountId): boolean {
    return this.#taken < this.#shared || (this.#taken < this.most && !this.#held.has(account));
  }

  /** Takes a place, which `giveBack` returns; false where the account may take none now. */
  take(account: AccountId): boolean {
    if (!this.isFree(account)) return false;
    this.#taken += 1;
    this.#held.set(account, (this.#held.get(account) ?? 0) + 1);
    return true;
  }

  /** The account holds one place less. */
  giveBack(account: AccountId): void {
    this.#taken -= 1;
    const held = (this.#held.get(account) ?? 1) - 1;
    if (held === 0) this.#held.delete(account);
    else this.#held.set(account, held);
  }

  /** Lets something wait for a place; what waits already stays where it is. */
  wait(account: AccountId, waiting: Waiting, isUrgent = false): void {
    const queue = isUrgent ? this.#urgent : this.#others;
    const own = queue.get(account);
    if (own === undefined) queue.set(account, new Set([waiting]));
    else own.add(waiting);
  }

  /** Removes one that waits no more. */
  forget(account: AccountId, waiting: Waiting): void {
    for (const queue of [this.#urgent, this.#others]) {
      const own = queue.get(account);
      if (own?.delete(waiting) && own.size === 0) queue.delete(account);
    }
  }

  /** What waited longest of the account whose turn it is, urgent before other; undefined where none may take a place now. */
  next(): Waiting | undefined {
    for (const queue of [this.#urgent, this.#others])
      for (const [account, own] of queue) {
        if (!this.isFree(account)) continue;
        const [first] = own;
        // Its next turn is after those of all others.
        queue.delete(account);
        own.delete(first as Waiting);
        if (own.size > 0) queue.set(account, own);
        return first;
      }
    return undefined;
  }
}

/** Places for work that waits until it has one. */
export class FairQueue {
  readonly #places: FairPlaces<() => void>;

  constructor(most: number) {
    this.#places = new FairPlaces(most);
  }

  /** Resolves once the account has a place, with what gives it back. */
  async take(account: AccountId, isUrgent = false): Promise<() => void> {
    if (!this.#places.take(account))
      await new Promise<void>((begin) => {
        const taking = () => {
          this.#places.take(account);
          begin();
        };
        this.#places.wait(account, taking, isUrgent);
      });
    return () => {
      this.#places.giveBack(account);
      for (let next = this.#places.next(); next !== undefined; next = this.#places.next()) next();
    };
  }
}
