import type { Job } from '../core/ledger/job.js';

/** Hands out jobs. `Ledger.write` creates, postpones and ends them, together with their orders. */
export interface JobQueue {
  /**
   * Takes jobs that are due, the longest due first, and none that another worker is taking. Each is due again after
   * `leaseMs`, for any worker: the one that took it must be done by then, or postpone it.
   * @throws StorageUnavailable
   */
  claimJobs(limit: number, leaseMs: number): Promise<readonly Job[]>;
}
