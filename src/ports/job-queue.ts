import type { Job } from '../core/ledger/job.js';

/** Hands out jobs. They are put down, put off and ended by `Ledger.write`, together with what they are about. */
export interface JobQueue {
  /**
   * Takes jobs that are due, the longest due first, and none that somebody else is taking. Each is due again after `leaseMs`,
   * and then anybody's: who has taken it must be done by then, or write that it is not.
   * @throws StorageUnavailable
   */
  claimJobs(limit: number, leaseMs: number): Promise<readonly Job[]>;
}
