import type { AccountId } from '../ids.js';
import type { AccountEvent } from './event-log.js';

interface Watched {
  /** The last event that those who wait were woken for. */
  head: number;
  readonly wakes: Set<() => void>;
}

/** Who waits for new events in the log of which account. */
export class LogWatchers {
  readonly #watched = new Map<AccountId, Watched>();

  /** The accounts that somebody waits for. */
  get accounts(): readonly AccountId[] {
    return [...this.#watched.keys()];
  }

  /** Calls `wake` whenever the log has grown. The function returned ends it. */
  watch(account: AccountId, wake: () => void): () => void {
    const watched = this.#watched.get(account) ?? { head: 0, wakes: new Set() };
    this.#watched.set(account, watched);
    const own = () => wake();
    watched.wakes.add(own);
    return () => {
      watched.wakes.delete(own);
      if (watched.wakes.size === 0 && this.#watched.get(account) === watched) this.#watched.delete(account);
    };
  }

  /** The log of the account has events up to `head`: wakes those who wait for it, unless they were woken for that event. */
  grown(account: AccountId, head: number): void {
    const watched = this.#watched.get(account);
    if (watched === undefined || head <= watched.head) return;
    watched.head = head;
    for (const wake of watched.wakes) wake();
  }
}

/** The number of the newest of these events, for each account that has one among them. */
export function headsOf(events: readonly AccountEvent[]): ReadonlyMap<AccountId, number> {
  return new Map(events.map(({ account, seq }) => [account, seq]));
}
