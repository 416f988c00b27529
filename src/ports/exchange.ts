import type { VenueName } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import type { Envelope, Intent } from '../core/order/intent.js';
import type { Order, Refusal } from '../core/order/order.js';
import type { LocalVenue } from './local-venue.js';
import type { CancelResult, OrderStatusReport, PlaceResult } from './order-results.js';

/** Executes orders at a venue, on paper or for real: the same interface and the same contract suite for both. */
export interface Exchange {
  /** The venue at which it executes orders, or whose books it simulates. */
  readonly venue: VenueName;
  /** How an exchange in this process decides; null for one that reaches its venue over the network. */
  readonly local: LocalVenue | null;
  /** How orders get their identity before they are sent; null where the venue's answer gives it. */
  readonly signing: Signing | null;
  /**
   * While it does not answer or accepts no orders, an estimate in milliseconds of when to ask again: no order should be put
   * on record for it until then. Null as a rule.
   */
  closedForMs(): number | null;
  /**
   * Called once for each order; a throw counts as `unknown`. `mayStillSend` is false once another worker may have taken the
   * order over: call it right before the first byte is sent, and send nothing if it is false. `isWanted` is false once the
   * order was halted: call it after a wait, before sending again an order that the venue did not process.
   */
  place(order: Order, mayStillSend: () => boolean, isWanted: () => Promise<boolean>): Promise<PlaceResult>;
  /** Safe to repeat. A throw counts as `unknown`. */
  cancel(order: Order): Promise<CancelResult>;
  /** Queries the venue about an order whose placement is unknown. */
  find(order: Order): Promise<OrderStatusReport>;
}

/** Signs orders for a venue that requires it: their identity is known, and on record, before a byte of them is sent. */
export interface Signing {
  /**
   * Fixes all that will be signed, chance and time included; a refusal where the venue's terms cannot express the order.
   * Called inside the write that records the order, which may run again: then the last result counts.
   */
  envelope(intent: Intent, market: Market): Envelope | Refusal;
  /** The identity that its envelope gives an order: the same on every call, in every process. */
  sign(order: Order): Promise<string>;
}
