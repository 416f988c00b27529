import type { Execution } from '../core/order/fill.js';
import type { Refusal } from '../core/order/order.js';

/** We lack what it takes to send the order, such as a fresh book. */
export interface Denied {
  readonly kind: 'denied';
  readonly refusal: Refusal;
}

/**
 * The venue has it. `rest` tells what became of the shares that did not fill at once; `open`, of an order that never rests, that
 * this is not told yet.
 */
export interface Accepted {
  readonly kind: 'accepted';
  readonly venueOrderId: string;
  /** The venue's own name for the order, where it is another than the one that it was sent under. */
  readonly venueReference?: string;
  /** What stands; the same trade has the same id each time. */
  readonly executions: readonly Execution[];
  /** Trades of the order that the venue has undone, for good. */
  readonly failed: readonly string[];
  readonly rest: 'none' | 'open' | 'delayed' | 'cancelled';
}

/** Proof that the venue did not take the order. `halt` tells why no further order should be sent before a person has looked. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly refusal: Refusal;
  /** True where it stands on looks alone, or on words that trades may still correct: should the order show up, that counts. */
  readonly presumed?: boolean;
  readonly halt?: Refusal;
}

/** No proof either way: the order may exist. It keeps its reservation and is never sent anew. */
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
