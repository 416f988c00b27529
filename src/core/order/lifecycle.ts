/** The venue's side of an order's life; fills and settlement are axes of their own. */
export type OrderState =
  | 'pending'
  | 'submitting'
  | 'unknown'
  | 'delayed'
  | 'open'
  | 'cancel_pending'
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'denied'
  | 'rejected'
  | 'failed';

/** The one word that the API shows for the three axes. */
export type OrderStatus =
  | 'pending'
  | 'unknown'
  | 'delayed'
  | 'open'
  | 'partially_filled'
  | 'filled'
  | 'cancelled'
  | 'expired'
  | 'denied'
  | 'rejected'
  | 'failed'
  | 'settled';

/** Every public status, in the order of a life. */
export const ORDER_STATUSES = [
  'pending',
  'unknown',
  'delayed',
  'open',
  'partially_filled',
  'filled',
  'cancelled',
  'expired',
  'denied',
  'rejected',
  'failed',
  'settled',
] as const satisfies readonly OrderStatus[];

/**
 * The states in which each event is allowed. All else is refused, and so is every event on a settled order except those in
 * `AFTER_SETTLEMENT`. A rejected order is accepted only where the rejection was presumed.
 */
export const ALLOWED = {
  denied: ['pending'],
  submitting: ['pending', 'unknown'],
  unknown: ['pending', 'submitting'],
  accepted: ['pending', 'submitting', 'unknown', 'delayed', 'rejected'],
  rejected: ['pending', 'submitting', 'unknown', 'delayed'],
  fill: ['delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'expired', 'failed'],
  fill_confirmed: ['delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'expired'],
  fill_voided: ['delayed', 'open', 'cancel_pending', 'filled', 'cancelled', 'expired'],
  cancel_requested: ['open', 'unknown'],
  cancel_refused: ['cancel_pending'],
  cancelled: ['delayed', 'open', 'cancel_pending'],
  expired: ['pending', 'delayed', 'open', 'cancel_pending'],
  settled: ['filled', 'cancelled', 'expired'],
  amended: ['filled', 'cancelled', 'expired'],
} as const satisfies Record<string, readonly OrderState[]>;

/** The code of an order that was given up because repeated queries of the venue showed no trace of it. */
export const NEVER_ARRIVED = 'never_arrived';

/** The code of an unknown order whose cancellation was requested: it is cancelled as soon as it shows up. */
export const CANCELLATION_UNKNOWN = 'cancellation_unknown';
/** The code of an unknown order to which the venue gave another identity: what it took cannot be looked up. */
export const IDENTITY_MISMATCH = 'identity_mismatch';

/** What may still happen once the result is booked. A late fill removes the settlement until the result is booked again. */
export const AFTER_SETTLEMENT: ReadonlySet<string> = new Set(['fill', 'fill_confirmed', 'amended']);

const WORKING: ReadonlySet<OrderState> = new Set([
  'pending',
  'submitting',
  'unknown',
  'delayed',
  'open',
  'cancel_pending',
]);

/** True while the order may still trade, so that its money stays reserved. */
export const isWorking = (state: OrderState): boolean => WORKING.has(state);

/** True while the first request for the order has not been answered by the venue. */
export const isInFlight = (state: OrderState): boolean => state === 'pending' || state === 'submitting';

/** Why an order that its owner cancelled was cancelled. */
export const CANCELLED_ON_REQUEST = 'cancelled on request';
