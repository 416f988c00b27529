import type { AccountId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { AccountEvent } from '../../core/ledger/event-log.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';
import { changesOf } from './change-writer.js';
import { newLoading, SnapshotLoader } from './snapshot-loader.js';
import type { Store } from './store.js';

/** A write that waits for its turn. */
export interface QueuedWrite {
  readonly scope: Scope;
  /** Makes the decision as of `at` and keeps its outcome; may be called again, and then only the last outcome counts. */
  decide(set: WorkingSet, at: Date): void;
  /** Answers the caller with the outcome, once it is durable. */
  answer(): void;
  /** Reports to the caller that nothing was stored. */
  fail(error: Error): void;
}

/** Gets what was added to the logs of accounts, once it is durable. */
export type Stored = (events: readonly AccountEvent[]) => void;

/** Accounts remembered as being on record; beyond this number the memory starts again. */
const REMEMBERED = 100_000;

/** Runs groups of writes, each in one transaction: one statement reads and one writes, for any number of decisions. */
export class Batch {
  readonly #loader: SnapshotLoader;
  readonly #onRecord = new Set<AccountId>();

  constructor(
    private readonly store: Store,
    private readonly stored: Stored,
  ) {
    this.#loader = new SnapshotLoader(store.dialect);
  }

  /** Makes every decision, in order, and their changes durable together. @throws StorageFault */
  async run(jobs: readonly QueuedWrite[]): Promise<void> {
    const scopes = jobs.map((job) => job.scope);
    // Sorted, so that processes that write the same accounts concurrently never deadlock.
    const accounts = [...new Set(scopes.flatMap(({ account, logs = [] }) => [account, ...logs]))].sort();
    const unseen = accounts.filter((account) => !this.#onRecord.has(account));
    const events = await this.store.transaction(async (tx) => {
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
      if (changes.length > 0) await tx.store(changes);
      return set.log;
    });
    this.#remember(unseen);
    this.stored(events);
  }

  #remember(accounts: readonly AccountId[]): void {
    if (this.#onRecord.size > REMEMBERED) this.#onRecord.clear();
    for (const account of accounts) this.#onRecord.add(account);
  }
}
