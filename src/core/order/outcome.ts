import type { Accepted, Cancellation, Exchange, Placement, Sighting, Unknown } from '../../ports/exchange.js';
import { InvariantBroken } from '../errors.js';
import { isInFlight } from './lifecycle.js';
import { remaining } from './order.js';
import type { Posting } from './posting.js';

/** Why an order that its owner cancelled was cancelled. */
export const CANCELLED_ON_REQUEST = 'cancelled on request';

/** The venue's answer; a venue that throws has not said no. */
export async function answerOf<T>(venue: Exchange, ask: (venue: Exchange) => Promise<T>): Promise<T | Unknown> {
  try {
    return await ask(venue);
  } catch {
    return { kind: 'unknown', reason: `${venue.venue} did not answer` };
  }
}

/**
 * Stores an answer through `store`. One that cannot be booked, because it contradicts the order, proves nothing: it is
 * stored as `unknown`, so that the order keeps its money and somebody looks.
 */
export async function booked<T>(answer: Sighting, store: (answer: Sighting) => Promise<T>): Promise<T> {
  try {
    return await store(answer);
  } catch (error) {
    if (!(error instanceof InvariantBroken)) throw error;
    return store({ kind: 'unknown', reason: `The exchange's answer cannot be booked: ${error.message}.` });
  }
}

/** Records what the venue answered to a placement; an order that has its answer already stays as it is. */
export function recordPlacement(posting: Posting, placement: Placement): void {
  const { state } = posting.order;
  if (!isInFlight(state) && state !== 'unknown') return;
  if (placement.kind === 'accepted') recordAccepted(posting, placement);
  else if (placement.kind === 'rejected' || (placement.kind === 'denied' && state !== 'pending'))
    posting.record({ type: 'rejected', refusal: placement.refusal });
  else if (placement.kind === 'denied') posting.record({ type: 'denied', refusal: placement.refusal });
  else if (state !== 'unknown') {
    posting.record({ type: 'unknown', refusal: { code: 'outcome_unknown', message: placement.reason } });
  }
}

/** Records what a look at the venue found out about an order whose placement is unknown. */
export function recordSighting(posting: Posting, sighting: Sighting): void {
  const refusal = { code: 'never_arrived', message: 'The exchange never received the order.' };
  recordPlacement(posting, sighting.kind === 'absent' ? { kind: 'rejected', refusal } : sighting);
}

/** Books what filled while an order rested, before its rest is given up: a cancelled order keeps its fills. */
export function recordExecutions(posting: Posting, sighting: Sighting): void {
  if (sighting.kind !== 'accepted') return;
  for (const execution of sighting.executions) posting.fill(execution);
}

/** Records what the venue answered to a cancellation; silence leaves the order as `cancel_pending`. */
export function recordCancellation(posting: Posting, cancellation: Cancellation): void {
  if (posting.order.state !== 'cancel_pending' || cancellation.kind === 'unknown') return;
  if (cancellation.kind === 'cancelled') posting.record({ type: 'cancelled', reason: CANCELLED_ON_REQUEST });
  else posting.record({ type: 'cancel_refused', reason: cancellation.reason });
}

function recordAccepted(posting: Posting, { venueOrderId, executions, rest }: Accepted): void {
  posting.record({ type: 'accepted', venueOrderId, delayed: rest === 'delayed' });
  for (const execution of executions) posting.fill(execution);
  const { timeInForce } = posting.order.intent;
  if (rest === 'cancelled' && remaining(posting.order) > 0n) {
    posting.record({ type: 'cancelled', reason: `${timeInForce}: what did not fill at once is cancelled` });
  }
}
