import { setTimeout as delay } from 'node:timers/promises';
import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { asDomainError, StorageFault } from './fault.js';
import type { Health } from './health.js';
import { changesOf, newLoading, SnapshotLoader } from './snapshot-loader.js';
import type { Store } from './store.js';

const ATTEMPTS = 6;
const RETRY_FOR_MS = 5000;
const FIRST_DELAY_MS = 10;

/** Runs groups of writes one after another, each in a transaction in which its decisions are made. */
export class CheckedGroups {
  readonly #batch: Batch;
  /** Stored, in order. */
  #unanswered: readonly QueuedWrite[] = [];

  constructor(
    private readonly store: Store,
    private readonly health: Health,
    stored: Stored,
  ) {
    this.#batch = new Batch(store, stored);
  }

  /** Stores them together, or as many of them as can be, and answers each. */
  async commit(jobs: readonly QueuedWrite[]): Promise<void> {
    await this.record(jobs);
    this.answer();
  }

  /** Stores writes together, or as many as can be; those stored are answered while the next group is being stored, or by `answer`. */
  async record(jobs: readonly QueuedWrite[]): Promise<void> {
    const since = performance.now();
    const fault = await this.#attempt(jobs);
    this.answer();
    if (fault === null) {
      this.health.stored(jobs.length, since);
      this.#unanswered = jobs;
    } else await this.settle(jobs, fault);
  }

  /** Answers the writes that are stored. */
  answer(): void {
    const jobs = this.#unanswered;
    this.#unanswered = [];
    for (const job of jobs) job.answer();
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
        await this.#batch.run(jobs, () => setImmediate(() => this.answer()));
        this.store.check();
        return null;
      } catch (error) {
        // A group that is tried again keeps no answer of another one back.
        this.answer();
        const fault = this.health.sawInGroup(
          error instanceof StorageFault ? error : new StorageFault('unavailable', error),
        );
        if (fault.kind !== 'conflict' || attempt === ATTEMPTS || performance.now() > until) return fault;
      }
      await delay(FIRST_DELAY_MS * 2 ** attempt * Math.random());
    }
  }
}

/** A write that is queued for a group. */
export interface QueuedWrite {
  readonly scope: Scope;
  /** Makes the decision as of `at` and keeps its outcome; may be called again, and then only the last outcome counts. */
  decide(set: WorkingSet, at: Date): void;
  /** Answers the caller with the outcome, once it is durable. */
  answer(): void;
  /** Reports to the caller that nothing was stored. */
  fail(error: Error): void;
}

/** Gets what was added to the logs of accounts and to the histories of orders, once it is durable. */
export type Stored = (added: Pick<WorkingSet, 'log' | 'events'>) => void;

/** Accounts remembered as being on record; beyond this number the memory starts again. */
const REMEMBERED = 100_000;

/** Runs groups of writes, each in one transaction: one statement reads and one writes, for any number of decisions. */
class Batch {
  readonly #loader: SnapshotLoader;
  readonly #onRecord = new Set<AccountId>();

  constructor(
    private readonly store: Store,
    private readonly stored: Stored,
  ) {
    this.#loader = new SnapshotLoader(store.dialect);
  }

  /** Makes every decision, in order, calls `decided`, and makes their changes durable together. @throws StorageFault */
  async run(jobs: readonly QueuedWrite[], decided: () => void): Promise<void> {
    const scopes = jobs.map((job) => job.scope);
    // Sorted, so that processes that write the same accounts concurrently never deadlock.
    const accounts = [...new Set(scopes.flatMap(({ account, logs = [] }) => [account, ...logs]))].sort();
    const unseen = accounts.filter((account) => !this.#onRecord.has(account));
    const added = await this.store.transaction(async (tx) => {
      if (unseen.length > 0) await tx.introduce(unseen);
      await tx.lock(accounts);
      const loading = newLoading();
      await this.#loader.add(tx, scopes, loading);
      const { set } = loading;
      const at = new Date();
      for (const job of jobs) {
        if (this.#loader.lacks(job.scope, loading)) await this.#loader.add(tx, [job.scope], loading);
        job.decide(set, at);
      }
      const changes = changesOf(set);
      decided();
      if (changes.length > 0) await tx.store(changes);
      return set;
    });
    this.#remember(unseen);
    this.stored(added);
  }

  #remember(accounts: readonly AccountId[]): void {
    if (this.#onRecord.size > REMEMBERED) this.#onRecord.clear();
    for (const account of accounts) this.#onRecord.add(account);
  }
}
