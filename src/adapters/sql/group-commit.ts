import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { StorageUnavailable } from '../../core/errors.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { Batch, type Job } from './batch.js';
import { asDomainError, StorageFault } from './fault.js';
import type { Store } from './store.js';

/** How many writes share a transaction, and how many may wait for theirs. */
export interface GroupLimits {
  readonly together: number;
  readonly waiting: number;
}

/** As many as keep a transaction short, and as many as a server can still answer in good time. */
export const GROUP_LIMITS: GroupLimits = { together: 256, waiting: 10_000 };

const ATTEMPTS = 6;
const RETRY_FOR_MS = 5000;
const FIRST_DELAY_MS = 10;

/**
 * Gathers writes that arrive while others commit, and commits them together: the disk is synced once for all of them.
 * Callers are answered only after their commit is durable, in the order in which they came.
 */
export class GroupCommit {
  readonly #batch: Batch;
  readonly #queue: Job[] = [];
  #running: Promise<void> | null = null;
  #broken: StorageFault | null = null;
  #closed = false;

  constructor(
    store: Store,
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

  /** @throws StorageUnavailable after a failure that only a restart of the process can mend. */
  check(): void {
    if (this.#broken !== null) throw asDomainError(this.#broken);
  }

  /** Takes no more writes, and resolves once those that wait have been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  #enqueue(job: Job): void {
    this.check();
    if (this.#closed || this.#queue.length >= this.limits.waiting) throw new StorageUnavailable();
    this.#queue.push(job);
    this.#running ??= this.#drain();
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Whoever was just answered, or came in the same turn, gets to add what is next to this group.
      await nextTurn();
      await this.#commit(this.#queue.splice(0, this.limits.together));
    }
    this.#running = null;
  }

  async #commit(jobs: readonly Job[]): Promise<void> {
    const fault = await this.#attempt(jobs);
    if (fault === null) {
      for (const job of jobs) job.answer();
    } else if (fault.kind === 'refused' && jobs.length > 1) {
      // One record in it is wrong: halving finds it, and its neighbours are stored without it.
      const half = Math.ceil(jobs.length / 2);
      await this.#commit(jobs.slice(0, half));
      await this.#commit(jobs.slice(half));
    } else {
      if (fault.kind === 'broken') this.#broken = fault;
      for (const job of jobs) job.fail(asDomainError(fault));
    }
  }

  /** Runs the whole group until it is stored, or it is clear that it will not be. Decisions are pure: they run again. */
  async #attempt(jobs: readonly Job[]): Promise<StorageFault | null> {
    const until = performance.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt += 1) {
      if (this.#broken !== null) return this.#broken;
      try {
        await this.#batch.run(jobs);
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
): Job {
  let answer = () => {};
  return {
    scope,
    decide(set: WorkingSet) {
      try {
        const result = set.decide(scope, decide);
        answer = () => resolve(result);
      } catch (error) {
        answer = () => reject(error);
      }
    },
    // Not sooner for an error: it may rest on what a neighbour decided, which is not true before it is committed.
    answer: () => answer(),
    fail: reject,
  };
}
