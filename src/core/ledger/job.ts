import type { AccountId, OrderId } from '../ids.js';
import { isImmediate } from '../order/intent.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import type { Decision, Snapshot } from './decision.js';

/** How long a worker has for a job: to sign, to send, to wait for the answer and to record it. */
export const LEASE_MS = 30_000;
/** How soon an unknown order is looked for again. */
const LOOK_AGAIN_MS = 5_000;

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

/** True when somebody else has it by now. */
export const isLost = (now: Snapshot, job: Job | null): boolean =>
  job !== null && now.job(job.orderId)?.fence !== job.fence;

/**
 * What becomes of a job when its order is like this: it goes on while the order is on its way, and while the venue has yet to
 * tell what became of one that does not rest; it is done else. Nothing, where there is none, or somebody else has it by now.
 */
export function jobAfter(now: Snapshot, job: Job | null, order: Order): Pick<Decision<unknown>, 'jobs'> {
  if (job === null || isLost(now, job)) return {};
  if (isInFlight(order.state)) return { jobs: [{ ...job, inMs: LEASE_MS }] };
  return { jobs: [{ ...job, inMs: isOutstanding(order) ? LOOK_AGAIN_MS : null }] };
}

/** True while the venue has to be asked what became of an order that it may have, and that will soon have ended. */
export const isOutstanding = ({ state, intent }: Pick<Order, 'state' | 'intent'>): boolean =>
  state === 'submitting' ||
  state === 'unknown' ||
  state === 'delayed' ||
  (isImmediate(intent) && (state === 'open' || state === 'cancel_pending'));
