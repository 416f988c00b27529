import { SERVICE } from '../../core/account/account.js';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import { seesService } from '../../core/ledger/working-set.js';
import type { QueuedWrite } from './checked-groups.js';
import { RecentMap } from './remembered.js';
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
 * The accounts whose writes take locks: those that another server wrote lately, so that two servers that write the same account wait
 * for each other instead of voiding each other's decisions; and those with a write that waits for locks.
 */
export class LockedAccounts {
  readonly #terms = new RecentMap<Term>(REMEMBERED);
  readonly #waiting = new Map<AccountId, number>();
  #collisions = 0;

  /** How many accounts, one time or another, were no longer as they were when a group was decided. */
  get collisions(): number {
    return this.#collisions;
  }

  /**
   * Notes that another writer changed `changed`, which are among the accounts of a group. They take locks for a time, which is
   * longer with each early recurrence, and with them the rest of the group: where clients write to several servers, the next
   * account would collide a moment later.
   */
  collided(changed: readonly AccountId[], group: readonly AccountId[]): void {
    this.#collisions += changed.length;
    const now = performance.now();
    for (const account of group) {
      const before = this.#terms.get(account);
      const isSoon = before !== undefined && now < before.until + SOON_MS;
      const ms = isSoon ? Math.min(4 * before.ms, MOST_MS) : FIRST_MS;
      // Random, so that two servers do not come back at the same moment.
      this.#terms.put(account, { ms, until: now + ms * (1 + Math.random()) });
    }
  }

  /** Whether a write takes locks. */
  has(scope: Scope): boolean {
    if (seesService(scope) && this.#waiting.has(SERVICE)) return true;
    return accountsNamed(scope).some((account) => this.#waiting.has(account) || this.#isOthers(account));
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

  #isOthers(account: AccountId): boolean {
    const term = this.#terms.get(account);
    return term !== undefined && term.until > performance.now();
  }
}
