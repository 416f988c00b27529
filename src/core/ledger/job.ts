import type { AccountId, OrderId } from '../ids.js';

/** How long a worker has for a job: to sign, to send, to wait for the answer and to record it. */
export const LEASE_MS = 30_000;

/** The duty to follow up an order even if this process ends: stored with the order, taken by one worker at a time. */
export interface Job {
  readonly account: AccountId;
  readonly orderId: OrderId;
  /** Grows each time the job is taken: a worker with a smaller fence has lost it. */
  readonly fence: number;
}

/** A job as a decision leaves it. */
export interface JobChange extends Job {
  /** When it may be taken, in milliseconds from now by the clock of the store; null when nothing is left to do. */
  readonly inMs: number | null;
}

/** The job of an order that was just put on record, taken by the worker that did so. */
export const jobOf = (account: AccountId, orderId: OrderId): JobChange => {
  return { account, orderId, fence: 1, inMs: LEASE_MS };
};
