import type { OrderId } from '../../core/ids.js';
import type { Job, JobChange } from '../../core/ledger/job.js';
import type { WorkingSet } from '../../core/ledger/working-set.js';

/** When the jobs of a ledger in memory are due. */
export class MemoryJobs {
  /** When each unfinished job may be taken, in milliseconds. */
  readonly #due = new Map<OrderId, number>();

  constructor(private readonly set: Pick<WorkingSet, 'jobs'>) {}

  /** Takes up what a decision made of jobs; `now` is in milliseconds. */
  note(changes: readonly JobChange[], now: number): void {
    for (const { orderId, inMs } of changes) {
      if (inMs === null) this.#due.delete(orderId);
      else this.#due.set(orderId, now + inMs);
    }
  }

  /** Takes those that are due, the longest first. */
  claim(limit: number, leaseMs: number, now: number): readonly Job[] {
    const due = [...this.#due].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
    return due.slice(0, limit).flatMap(([orderId]) => {
      const job = this.set.jobs.get(orderId);
      if (job === undefined) return [];
      const taken = { account: job.account, orderId, fence: job.fence + 1 };
      this.set.jobs.put(orderId, { ...taken, inMs: leaseMs });
      this.#due.set(orderId, now + leaseMs);
      return [taken];
    });
  }
}
