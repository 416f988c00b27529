import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { StorageUnavailable } from '../../core/errors.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { Batch, type QueuedWrite } from './batch.js';
import { asDomainError, isFull, StorageFault } from './fault.js';
import type { Store } from './store.js';

/** How many writes share a transaction, and how many may wait for theirs. */
export interface GroupLimits {
  readonly together: number;
  readonly waiting: number;
}

/** Few enough to keep a transaction short, and to answer those that wait in good time. */
export const GROUP_LIMITS: GroupLimits = { together: 256, waiting: 10_000 };

const ATTEMPTS = 6;
const RETRY_FOR_MS = 5000;
const FIRST_DELAY_MS = 10;
const FULL_FOR_MS = 10_000;

/**
 * Collects writes that arrive while others commit, and commits them together: the disk is synced once for all of them.
 * Callers are answered only after their commit is durable, in order of arrival.
 */
export class GroupCommit {
  readonly #batch: Batch;
  readonly #queue: QueuedWrite[] = [];
  #running: Promise<void> | null = null;
  #broken: StorageFault | null = null;
  #full: { readonly fault: StorageFault; readonly until: number } | null = null;
  #closed = false;
  #lose: (why: unknown) => void = () => {};
  /** Resolves with the database's error once only a restart of the process can help. */
  readonly lost = new Promise<unknown>((resolve) => {
    this.#lose = resolve;
  });

  constructor(
    private readonly store: Store,
    private readonly limits: GroupLimits,
  ) {
    this.#batch = new Batch(store);
  }

  /** @throws what `decide` throws; StorageUnavailable, InvariantBroken */
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#enqueue(jobOf(scope, decide, resolve, reject));
    });
  }

  /** @throws StorageUnavailable after a failure that only a restart of the process can repair. */
  check(): void {
    if (this.#broken !== null) throw asDomainError(this.#broken);
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
    if (this.#full !== null && performance.now() < this.#full.until) throw asDomainError(this.#full.fault);
  }

  /** Returns how a write failed, and refuses further ones if only a restart of the process can help. */
  note(fault: StorageFault): StorageFault {
    if (fault.kind === 'broken') {
      this.#broken ??= fault;
      this.#lose(fault.cause);
    }
    return fault;
  }

  /** Refuses new writes, and resolves once the waiting ones have been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
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
      await this.#commit(this.#queue.splice(0, this.limits.together));
    }
    this.#running = null;
  }

  async #commit(jobs: readonly QueuedWrite[]): Promise<void> {
    const fault = await this.#attempt(jobs);
    if (fault === null) {
      this.#full = null;
      for (const job of jobs) job.answer();
    } else if (fault.kind === 'refused' && jobs.length > 1) {
      // One record in it is wrong: halving isolates it, and its neighbours are stored without it.
      const half = Math.ceil(jobs.length / 2);
      await this.#commit(jobs.slice(0, half));
      await this.#commit(jobs.slice(half));
    } else {
      this.note(fault);
      if (isFull(fault.cause)) this.#full = { fault, until: performance.now() + FULL_FOR_MS };
      for (const job of jobs) job.fail(asDomainError(fault));
    }
  }

  /** Runs the whole group until it is stored, or cannot be. Decisions are pure, so they can run again. */
  async #attempt(jobs: readonly QueuedWrite[]): Promise<StorageFault | null> {
    const until = performance.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#broken !== null) return this.#broken;
      try {
        // Before, so that a truncated file is not overwritten; after, because a write to a deleted file is not stored.
        this.store.check();
        await this.#batch.run(jobs);
        this.store.check();
        return null;
      } catch (error) {
        const fault = error instanceof StorageFault ? error : new StorageFault('unavailable', error);
        if (fault.kind !== 'conflict' || attempt === ATTEMPTS || performance.now() > until) return fault;
      }
      await delay(FIRST_DELAY_MS * 2 ** attempt * Math.random());
    }
  }
}

function jobOf<T>(
  scope: Scope,
  decide: (now: Snapshot) => Decision<T>,
  resolve: (result: T) => void,
  reject: (error: unknown) => void,
): QueuedWrite {
  let answer = () => {};
  return {
    scope,
    decide(set: WorkingSet, at: Date) {
      try {
        const result = set.decide(scope, decide, at);
        answer = () => resolve(result);
      } catch (error) {
        answer = () => reject(error);
      }
    },
    // Errors are not answered sooner: one may depend on a neighbour's decision, which holds only once it is committed.
    answer: () => answer(),
    fail: reject,
  };
}
