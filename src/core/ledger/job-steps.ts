import { isImmediate } from '../order/intent.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import type { Decision, Snapshot } from './decision.js';
import { type Job, LEASE_MS } from './job.js';

/** How soon an unknown order is looked for again. */
const LOOK_AGAIN_MS = 5_000;

/** True when somebody else has it by now. */
export const isJobLost = (now: Snapshot, job: Job | null): boolean =>
  job !== null && now.job(job.orderId)?.fence !== job.fence;

/**
 * What becomes of a job when its order is like this: it goes on while the order is on its way, and while the venue has yet to
 * tell what became of one that does not rest; it is done else. Nothing, where there is none, or somebody else has it by now.
 */
export function jobAfter(now: Snapshot, job: Job | null, order: Order): Pick<Decision<unknown>, 'jobs'> {
  if (job === null || isJobLost(now, job)) return {};
  if (isInFlight(order.state)) return { jobs: [{ ...job, inMs: LEASE_MS }] };
  return { jobs: [{ ...job, inMs: isOutstanding(order) ? LOOK_AGAIN_MS : null }] };
}

/** True while the venue has to be asked what became of an order that it may have, and that will soon have ended. */
export const isOutstanding = ({ state, intent }: Pick<Order, 'state' | 'intent'>): boolean =>
  state === 'submitting' ||
  state === 'unknown' ||
  state === 'delayed' ||
  (isImmediate(intent) && (state === 'open' || state === 'cancel_pending'));
