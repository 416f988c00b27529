import type { AccountId, OrderId } from '../ids.js';

/** How long a worker has for a job: to sign, to send, to wait for the answer and to record it. */
export const LEASE_MS = 30_000;

/** An order that has to be looked after whatever happens to this process: put down with the order, taken by one worker at a time. */
export interface Job {
  readonly account: AccountId;
  readonly orderId: OrderId;
  /** Grows with everybody who takes it: who holds a smaller one came too late, and has lost it. */
  readonly fence: number;
}

/** A job as a decision leaves it. */
export interface JobChange extends Job {
  /** When it may be taken, in milliseconds from now by the clock of the store; null when nothing is left to do. */
  readonly inMs: number | null;
}

/** The job of an order that was just put on record, taken by whoever put it there. */
export const jobOf = (account: AccountId, orderId: OrderId): JobChange => {
  return { account, orderId, fence: 1, inMs: LEASE_MS };
};
