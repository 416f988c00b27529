import type { Execution } from '../core/order/fill.js';
import type { Order, Refusal } from '../core/order/order.js';

/** A venue that trades. Paper and real venues answer the same questions, and pass the same contract suite. */
export interface Exchange {
  readonly venue: string;
  /** How a venue in this process decides; null for everything that is reached over a wire. */
  readonly local: LocalVenue | null;
  /** Called once for each order; a throw counts as `unknown`. */
  place(order: Order): Promise<Placement>;
  /** Safe to repeat. A throw counts as `unknown`. */
  cancel(order: Order): Promise<Cancellation>;
  /** What the venue knows of an order whose placement is unknown. */
  find(order: Order): Promise<Sighting>;
}

/**
 * A venue that keeps nothing of its own. It decides inside the very write that records the order, so that no order of it
 * is ever on its way, and asking it again is harmless.
 */
export interface LocalVenue {
  /** What `place` resolves with. Pure: the write may run again. */
  place(order: Order): Placement;
}

/** The venue has it. `rest` tells what became of the shares that did not fill at once. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly venueOrderId: string;
  readonly executions: readonly Execution[];
  readonly rest: 'none' | 'open' | 'delayed' | 'cancelled';
}

/** Proof that the venue did not take the order. */
export interface Rejected {
  readonly kind: 'rejected';
  readonly refusal: Refusal;
}

/** No proof either way: the order may exist. It keeps its reservation and is never sent anew. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

/** What a venue answers to an order. */
export type Placement = Accepted | Rejected | Unknown;
/** What a venue answers to a cancellation: `refused` is proof that the order can no longer be cancelled. */
export type Cancellation =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'refused'; readonly reason: string }
  | Unknown;
/** `absent` is proof that the order never arrived and never will. */
export type Sighting = Accepted | Rejected | { readonly kind: 'absent' } | Unknown;
