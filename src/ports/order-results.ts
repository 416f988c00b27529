import type { Execution } from '../core/order/fill.js';
import type { Refusal } from '../core/order/order.js';

/** We lack what is needed to send the order, such as a fresh book. */
export interface Denied {
  readonly kind: 'denied';
  readonly refusal: Refusal;
}

/**
 * The venue has it. `rest` is the state of the shares that did not fill at once. For an order that never rests, `open` means
 * that it is not reported yet.
 */
export interface Accepted {
  readonly kind: 'accepted';
  readonly venueOrderId: string;
  /** The venue's own name for the order, where it differs from the one that it was sent under. */
  readonly venueReference?: string;
  /** The trades that stand; the same trade has the same id each time. */
  readonly executions: readonly Execution[];
  /** Trades of the order that the venue has undone for good. */
  readonly failed: readonly string[];
  readonly rest: 'none' | 'open' | 'delayed' | 'cancelled';
}

/**
 * Proof that the venue did not accept the order. `halt`: why no further order should be sent before an operator has examined
 * it.
 */
export interface Rejected {
  readonly kind: 'rejected';
  readonly refusal: Refusal;
  /**
   * True where it follows from queries alone, or from an answer that trades may still correct: if the order shows up, it is
   * accepted.
   */
  readonly presumed?: boolean;
  readonly halt?: Refusal;
}

/** No proof either way: the order may exist. It keeps its reservation and is never sent again. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
  readonly halt?: Refusal;
}

/** What a venue answers to an order. */
export type PlaceResult = Accepted | Rejected | Unknown | Denied;
/** What a venue answers to a cancellation: `refused` is proof that the order can no longer be cancelled. */
export type CancelResult =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown;
/** `absent` is proof that the order never arrived and never will. */
export type OrderStatusReport = Accepted | Rejected | Denied | { readonly kind: 'absent' } | Unknown;
