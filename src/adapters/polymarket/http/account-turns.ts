import { FairTurns } from '../../../core/access/fair-places.js';
import type { AccountId } from '../../../core/ids.js';

/** So many reads of one account may be under way or wait. */
const MOST_WAITING = 256;

/** The turns of accounts that read over the connections of one lane. */
export class AccountTurns {
  readonly #turns: FairTurns;
  readonly #waiting = new Map<AccountId, number>();

  constructor(connections: number) {
    this.#turns = new FairTurns(Math.max(4, connections));
  }

  /** Reads, with what resolves once it is the account's turn to send, with what ends the turn; null at once where too much of it waits already. */
  async read<T>(account: AccountId, read: (turn: () => Promise<() => void>) => Promise<T>): Promise<T | null> {
    const waiting = this.#waiting.get(account) ?? 0;
    if (waiting >= MOST_WAITING) return null;
    this.#waiting.set(account, waiting + 1);
    try {
      return await read(() => this.#turns.take(account));
    } finally {
      const left = (this.#waiting.get(account) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(account);
      else this.#waiting.set(account, left);
    }
  }
}
