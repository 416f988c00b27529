import type { AccountId } from '../../core/ids.js';
import type { Page } from '../../core/ledger/query.js';
import { type Signal, type SignalKey, signalKeyText } from '../../core/signal/signal.js';
import type { SignalFilter, SignalStore } from '../../ports/signals.js';
import { inOrder, is } from './filters.js';

/** Keeps signals in this process. */
export class MemorySignals implements SignalStore {
  readonly #accounts = new Map<AccountId, Map<string, Signal>>();

  async find(key: SignalKey): Promise<Signal | undefined> {
    return this.#of(key.account).get(signalKeyText(key));
  }

  async put(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals) {
      const own = this.#of(signal.account);
      own.set(signalKeyText(signal), signal);
      this.#accounts.set(signal.account, own);
    }
  }

  async list(account: AccountId, filter: SignalFilter, page: Page<SignalKey>): Promise<readonly Signal[]> {
    const wanted = [...this.#of(account).values()].filter(
      ({ name, marketId }) => is(filter.name, name) && is(filter.marketId, marketId),
    );
    const { limit, after } = page;
    return inOrder(wanted, order, { limit, ...(after && { after: order(after) }) });
  }

  async remove(key: SignalKey): Promise<Signal | undefined> {
    const own = this.#of(key.account);
    const removed = own.get(signalKeyText(key));
    own.delete(signalKeyText(key));
    return removed;
  }

  async count(account: AccountId): Promise<number> {
    return this.#of(account).size;
  }

  async forgetExpired(now: Date, account?: AccountId): Promise<number> {
    let forgotten = 0;
    for (const own of account === undefined ? this.#accounts.values() : [this.#of(account)]) {
      for (const [key, { expiresAt }] of own) if (expiresAt <= now && own.delete(key)) forgotten += 1;
    }
    return forgotten;
  }

  #of(account: AccountId): Map<string, Signal> {
    return this.#accounts.get(account) ?? new Map();
  }
}

/** A character below all those of names separates the parts, so that texts are in the order of keys. */
const order = ({ name, venue, marketId }: SignalKey): string => `${name}\n${venue}\n${marketId}`;
