import { SERVICE } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import { seesService } from '../../core/ledger/working-set.js';
import type { QueuedWrite } from './batch.js';
import { RecentMap } from './recent-map.js';
import { accountsNamed } from './snapshot-loader.js';

const FIRST_MS = 2000;
const MOST_MS = 60_000;
/** So long after a term, the next one is longer: accounts that two servers write stay with locks, whatever the load. */
const SOON_MS = 600_000;
const REMEMBERED = 20_000;

interface Term {
  readonly ms: number;
  readonly until: number;
}

/**
 * The accounts whose writes take locks: those that another server wrote lately, so that two servers that write the same
 * account wait for each other instead of voiding each other's decisions; and those with a write that waits for locks.
 */
export class LockedAccounts {
  readonly #terms = new RecentMap<Term>(REMEMBERED);
  readonly #waiting = new Map<AccountId, number>();

  /** Somebody else wrote these accounts. The time is longer each time that they do so soon again. */
  collided(accounts: readonly AccountId[]): void {
    const now = performance.now();
    for (const account of accounts) {
      const before = this.#terms.get(account);
      const isSoon = before !== undefined && now < before.until + SOON_MS;
      const ms = isSoon ? Math.min(4 * before.ms, MOST_MS) : FIRST_MS;
      // By chance, so that two servers do not come back at the same moment.
      this.#terms.put(account, { ms, until: now + ms * (1 + Math.random()) });
    }
  }

  has(scope: Scope): boolean {
    if (seesService(scope) && this.#waiting.has(SERVICE)) return true;
    return accountsNamed(scope).some(
      (account) => this.#waiting.has(account) || (this.#terms.get(account)?.until ?? 0) > performance.now(),
    );
  }

  /** A write waits for locks: until it is answered, the others of its accounts do too. */
  waits({ scope }: QueuedWrite): void {
    for (const account of accountsNamed(scope)) this.#waiting.set(account, (this.#waiting.get(account) ?? 0) + 1);
  }

  answered({ scope }: QueuedWrite): void {
    for (const account of accountsNamed(scope)) {
      const left = (this.#waiting.get(account) ?? 0) - 1;
      if (left > 0) this.#waiting.set(account, left);
      else this.#waiting.delete(account);
    }
  }
}
