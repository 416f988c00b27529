import { setTimeout as delay } from 'node:timers/promises';
import { Batch, type QueuedWrite, type Stored } from './batch.js';
import { asDomainError, StorageFault } from './fault.js';
import type { Health } from './health.js';
import type { Store } from './store.js';

const ATTEMPTS = 6;
const RETRY_FOR_MS = 5000;
const FIRST_DELAY_MS = 10;

/** Runs groups of writes one after another, each in a transaction in which its decisions are made. */
export class CheckedGroups {
  readonly #batch: Batch;

  constructor(
    private readonly store: Store,
    private readonly health: Health,
    stored: Stored,
  ) {
    this.#batch = new Batch(store, stored);
  }

  /** Stores them together, or as many of them as can be, and answers each. */
  async commit(jobs: readonly QueuedWrite[]): Promise<void> {
    const since = performance.now();
    const fault = await this.#attempt(jobs);
    if (fault === null) {
      this.health.stored(jobs.length, since);
      for (const job of jobs) job.answer();
    } else await this.settle(jobs, fault);
  }

  /** Goes on with a group that could not be stored: what may be right alone is stored, the rest fails. */
  async settle(jobs: readonly QueuedWrite[], fault: StorageFault): Promise<void> {
    if (fault.kind === 'refused' && jobs.length > 1) {
      // One record in it is wrong: halving isolates it, and its neighbours are stored without it.
      const half = Math.ceil(jobs.length / 2);
      await this.commit(jobs.slice(0, half));
      await this.commit(jobs.slice(half));
    } else {
      this.health.failed(fault);
      for (const job of jobs) job.fail(asDomainError(fault));
    }
  }

  /** Runs the whole group until it is stored, or cannot be. Decisions are pure, so they can run again. */
  async #attempt(jobs: readonly QueuedWrite[]): Promise<StorageFault | null> {
    const until = performance.now() + RETRY_FOR_MS;
    for (let attempt = 1; ; attempt += 1) {
      if (this.health.broken !== null) return this.health.broken;
      try {
        // Before, so that a truncated file is not overwritten; after, because a write to a deleted file is not stored.
        this.store.check();
        await this.#batch.run(jobs);
        this.store.check();
        return null;
      } catch (error) {
        const fault = this.health.sawInGroup(
          error instanceof StorageFault ? error : new StorageFault('unavailable', error),
        );
        if (fault.kind !== 'conflict' || attempt === ATTEMPTS || performance.now() > until) return fault;
      }
      await delay(FIRST_DELAY_MS * 2 ** attempt * Math.random());
    }
  }
}
