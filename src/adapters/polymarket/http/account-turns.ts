import { FairTurns } from '../../../core/access/fair-places.js';
import type { AccountId } from '../../../core/ids.js';

/** So many reads of one account may wait for their turn. */
const MOST_WAITING = 256;

/** The turns of accounts that read over the connections of one lane. */
export class AccountTurns {
  readonly #turns: FairTurns;
  readonly #waiting = new Map<AccountId, number>();

  constructor(connections: number) {
    this.#turns = new FairTurns(Math.max(4, connections));
  }

  /** Resolves once it is the account's turn, with what ends it; null at once where too much of it waits already. */
  async take(account: AccountId): Promise<(() => void) | null> {
    const waiting = this.#waiting.get(account) ?? 0;
    if (waiting >= MOST_WAITING) return null;
    this.#waiting.set(account, waiting + 1);
    const end = await this.#turns.take(account);
    const left = (this.#waiting.get(account) ?? 1) - 1;
    if (left === 0) this.#waiting.delete(account);
    else this.#waiting.set(account, left);
    return end;
  }
}
