import type { Exchange } from '../../ports/exchange.js';
import { IdempotencyKeyReused, PaperElsewhere } from '../errors.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { isImmediate } from '../order/order.js';
import type { Decision, Scope, Snapshot } from './decision.js';
import { type Job, LEASE_MS } from './job.js';
import type { LeaseInHand } from './lease.js';
import type { KeyedRequest } from './request.js';

/** What a scope has to name so that a decision can check the lease. */
export const leased = (lease: LeaseInHand): Pick<Scope, 'lease'> => (lease ? { lease: lease.name } : {});

/**
 * True where no lease is needed, or where it is on record as held: it has not expired, and no other process has taken it.
 */
export function mayAct(now: Snapshot, lease: LeaseInHand): boolean {
  if (lease === undefined) return true;
  if (lease === null) return false;
  const held = now.lease(lease.name);
  return held?.fence === lease.fence && held.owner === lease.owner;
}

/** The lease under which this process acts for a venue; none is needed for a venue that is reached over the network. */
export const leaseOf = (exchange: Exchange | null): LeaseInHand => exchange?.local?.lease();

/** Passes where this process may act. @throws PaperElsewhere otherwise */
export function checkLease(now: Snapshot, lease: LeaseInHand): void {
  if (!mayAct(now, lease)) throw new PaperElsewhere();
}

/** What writes. */
interface Writer {
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T>;
}

/**
 * Writes as `ledger` does, but stores nothing where the lease is lost by the time of storing, however long ago the write
 * began.
 * @throws PaperElsewhere then
 */
export const underLease = (ledger: Writer, inHand: () => LeaseInHand): Writer => ({
  async write(scope, decide) {
    const lease = inHand();
    if (lease === null) throw new PaperElsewhere();
    return ledger.write({ ...scope, ...leased(lease) }, (now) => {
      checkLease(now, lease);
      return decide(now);
    });
  },
});

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

/**
 * The id of the record that an earlier request with this key made, or undefined when the key is new or has expired by
 * `now`, in the machine's time.
 * @throws IdempotencyKeyReused when the key meant something else.
 */
export function earlierResult(snapshot: Snapshot, request: KeyedRequest | null, now: Date): string | undefined {
  const record = request === null ? undefined : snapshot.request(request.key);
  if (record === undefined || (record.expiresAt !== null && record.expiresAt <= now)) return undefined;
  if (record.meaning !== request?.meaning) throw new IdempotencyKeyReused();
  return record.resource;
}
