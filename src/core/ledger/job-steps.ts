import { isImmediate } from '../order/intent.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import type { Decision, Snapshot } from './decision.js';
import { type Job, LEASE_MS } from './job.js';

/** How soon an unknown order is queried again. */
const LOOK_AGAIN_MS = 5_000;

/** True when another worker has it by now. */
export const isJobLost = (now: Snapshot, job: Job | null): boolean =>
  job !== null && now.job(job.orderId)?.fence !== job.fence;

/**
 * The job after this state of its order: it goes on while the order is in flight, and while the venue has not reported the
 * end of one that does not rest; otherwise it is done. Empty where there is no job, or another worker has it by now.
 */
export function jobAfter(now: Snapshot, job: Job | null, order: Order): Pick<Decision<unknown>, 'jobs'> {
  if (job === null || isJobLost(now, job)) return {};
  if (isInFlight(order.state)) return { jobs: [{ ...job, inMs: LEASE_MS }] };
  return { jobs: [{ ...job, inMs: isOutstanding(order) ? LOOK_AGAIN_MS : null }] };
}

/** True while the venue must be asked about an order that it may have, and that will end soon. */
export const isOutstanding = ({ state, intent }: Pick<Order, 'state' | 'intent'>): boolean =>
  state === 'submitting' ||
  state === 'unknown' ||
  state === 'delayed' ||
  (isImmediate(intent) && (state === 'open' || state === 'cancel_pending'));
