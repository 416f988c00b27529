import { setImmediate as nextTurn } from 'node:timers/promises';
import { StorageUnavailable } from '../../core/errors.js';
import type { AccountId } from '../../core/ids.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import { type DecisionNews, newsIn } from '../../core/ledger/event-log.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import type { StoreWatch } from '../../ports/ledger.js';
import type { QueuedWrite, Stored } from './checked-groups.js';
import { CheckedGroups } from './checked-groups.js';
import { asDomainError, type StorageFault } from './fault.js';
import { Health } from './health.js';
import type { LedgerTerms } from './ledger-terms.js';
import { LockedAccounts } from './locked-accounts.js';
import { OverlappedGroups } from './overlapped-groups.js';
import { REMEMBERED } from './remembered.js';
import type { Store } from './store.js';

/** How many writes share a transaction, how many may wait for theirs, and under how many keys rows are remembered. */
export interface GroupLimits {
  readonly together: number;
  readonly waiting: number;
  readonly remembered?: number;
}

/** Few enough to keep a transaction short, and to answer those that wait in good time. */
export const GROUP_LIMITS: GroupLimits = { together: 256, waiting: 10_000 };

/**
 * Collects writes that arrive while others commit, and commits them together: the disk is synced once for all of them.
 * Callers are answered only after their commit is durable, in order of arrival.
 */
export class GroupCommit {
  readonly #health: Health;
  readonly #checked: CheckedGroups;
  readonly #overlapped: OverlappedGroups | null;
  readonly #locks = new LockedAccounts();
  #queue: QueuedWrite[] = [];
  readonly #watch: StoreWatch | undefined;
  #running: Promise<void> | null = null;
  #closed = false;

  constructor(
    private readonly store: Store,
    private readonly limits: GroupLimits,
    { isProven = false, watch }: LedgerTerms = {},
    /** Gets the events that each group added to logs and histories, once they are durable. */
    stored: Stored = () => {},
  ) {
    const { guarded } = store;
    this.#health = new Health(watch);
    this.#watch = watch;
    this.#checked = new CheckedGroups(store, this.#health, stored);
    const terms = { remembered: limits.remembered ?? REMEMBERED, isProven, stored, locks: this.#locks };
    this.#overlapped = guarded ? new OverlappedGroups(store, guarded, this.#checked, this.#health, terms) : null;
  }

  /** Resolves with the database's error once only a restart of the process can help. */
  get lost(): Promise<unknown> {
    return this.#health.lost;
  }

  /** How many accounts, one time or another, another process had written since they were read. */
  get collisions(): number {
    return this.#locks.collisions;
  }

  /** @throws what `decide` throws; StorageUnavailable, InvariantBroken */
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#enqueue(jobOf(scope, decide, { resolve, reject, watch: this.#watch }));
    });
  }

  /** How many writes wait to be committed. */
  get waiting(): number {
    return this.#queue.length + (this.#overlapped?.waiting ?? 0);
  }

  /** @throws StorageUnavailable after a failure that only a restart of the process can repair. */
  check(): void {
    this.#health.check();
  }

  /** Checks whether the database still is what was opened; otherwise it is lost. */
  look(): void {
    try {
      this.store.check();
    } catch (error) {
      this.note(this.store.judge(error));
    }
  }

  /**
   * Resolves when the database takes writes. A write that failed for lack of space counts for some seconds, unless another
   * was stored since: there may be room for the row of a probe, but not for an order.
   * @throws StorageUnavailable
   */
  async ping(): Promise<void> {
    this.check();
    try {
      await this.store.probe();
    } catch (error) {
      throw asDomainError(this.note(this.store.judge(error)));
    }
    this.#health.checkRoom();
  }

  /** Returns how a write failed, and refuses further ones if only a restart of the process can help. */
  note(fault: StorageFault): StorageFault {
    return this.#health.note(fault);
  }

  /** Reports a failure of something that only reads, and returns it. */
  saw(fault: StorageFault): StorageFault {
    return this.#health.saw(fault);
  }

  /** Refuses new writes, and resolves once the waiting ones have been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#overlapped?.settled();
  }

  #enqueue(job: QueuedWrite): void {
    this.check();
    if (this.#closed || this.#queue.length >= this.limits.waiting) throw new StorageUnavailable();
    this.#queue.push(job);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Callers just answered, or arriving in the same turn, can still add their next write to this group.
      await nextTurn();
      if (this.#overlapped === null) await this.#commitAll();
      else await this.#overlap(this.#overlapped);
    }
    this.#running = null;
  }

  /**
   * Commits group after group, while any writes wait. The callers of one are answered, and their next requests are read, while the
   * database stores the next one: otherwise the thread that does both would be idle then, and busy when the database waits for it.
   */
  async #commitAll(): Promise<void> {
    while (this.#queue.length > 0) await this.#checked.record(this.#take(this.limits.together));
    this.#checked.answer();
  }

  async #overlap(groups: OverlappedGroups): Promise<void> {
    const room = this.limits.together - groups.waiting;
    if (room > 0) await groups.decide(this.#take(room));
    else await groups.next();
  }

  /** Takes so many of the writes that wait, and none of an account before its earlier ones. */
  #take(most: number): readonly QueuedWrite[] {
    const { now, later } = shared(this.#queue, most);
    this.#queue = later;
    return now;
  }
}

/**
 * Which writes are in the next group, in the order in which they came. Where more wait than it has room for, no account has more
 * places in it than another one that could use them: however much one account has waiting, the write of another one is in it.
 */
function shared(queue: QueuedWrite[], most: number): { readonly now: QueuedWrite[]; readonly later: QueuedWrite[] } {
  if (queue.length <= most) return { now: queue, later: [] };
  const counts = new Map<AccountId, number>();
  for (const { scope } of queue) counts.set(scope.account, (counts.get(scope.account) ?? 0) + 1);
  const share = shareOf([...counts.values()], most);
  const taken = new Map<AccountId, number>();
  const [now, later]: [QueuedWrite[], QueuedWrite[]] = [[], []];
  for (const job of queue) {
    const { account } = job.scope;
    const before = taken.get(account) ?? 0;
    const isNow = before < share && now.length < most;
    if (isNow) taken.set(account, before + 1);
    (isNow ? now : later).push(job);
  }
  return { now, later };
}

/** How many of the places each of those may have who want so many; one at least. */
function shareOf(wanted: readonly number[], places: number): number {
  let [left, others] = [places, wanted.length];
  for (const count of wanted.toSorted((a, b) => a - b)) {
    if (count * others > left) break;
    left -= count;
    others -= 1;
  }
  return Math.max(1, Math.ceil(left / others));
}

/** The caller that waits for a write, and the watch that is notified of it. */
interface Caller<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
  readonly watch: StoreWatch | undefined;
}

function jobOf<T>(
  scope: Scope,
  decide: (now: Snapshot) => Decision<T>,
  { resolve, reject, watch }: Caller<T>,
): QueuedWrite {
  let answer = () => {};
  let news: DecisionNews | null = null;
  const heard = (now: Snapshot) => {
    const decision = decide(now);
    news = newsIn(decision, now);
    return decision;
  };
  const deciding = watch === undefined ? decide : heard;
  return {
    scope,
    decide(set: WorkingSet, at: Date) {
      try {
        const result = set.decide(scope, deciding, at);
        answer = () => resolve(result);
      } catch (error) {
        news = null;
        answer = () => reject(error);
      }
    },
    // Errors are not answered sooner: one may depend on a neighbour's decision, which holds only once it is committed.
    answer() {
      answer();
      watch?.written();
      if (news !== null) watch?.stored(news);
    },
    fail: reject,
  };
}
