import type { VenueName } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import type { Envelope, Intent } from '../core/order/intent.js';
import type { Order, Refusal } from '../core/order/order.js';
import type { LocalVenue } from './local-venue.js';
import type { CancelResult, OrderStatusReport, PlaceResult } from './order-results.js';

/** A venue that trades. Paper and real venues answer the same questions, and pass the same contract suite. */
export interface Exchange {
  /** The venue at which it carries orders out, or whose books it simulates. */
  readonly venue: VenueName;
  /** How a venue in this process decides; null for everything that is reached over a wire. */
  readonly local: LocalVenue | null;
  /** How orders get their identity before they are sent; null where the venue gives it in its answer. */
  readonly signing: Signing | null;
  /**
   * In how many milliseconds to ask again, at a guess, while it answers nothing or wants no orders, so that none should be put on
   * record for it; null as a rule.
   */
  closedForMs(): number | null;
  /**
   * Called once for each order; a throw counts as `unknown`. `mayStillSend` is false once somebody else may have taken the
   * order over: to be asked right before its first byte leaves, which then must not. `isWanted` is false once the order was
   * halted: to be asked after a wait, before it is sent again that was not looked at.
   */
  place(order: Order, mayStillSend: () => boolean, isWanted: () => Promise<boolean>): Promise<PlaceResult>;
  /** Safe to repeat. A throw counts as `unknown`. */
  cancel(order: Order): Promise<CancelResult>;
  /** What the venue knows of an order whose placement is unknown. */
  find(order: Order): Promise<OrderStatusReport>;
}

/** A venue whose orders are signed: their identity is known, and on record, before a byte of them leaves. */
export interface Signing {
  /**
   * Fixes all that will be signed, chance and time included; a refusal where the venue's terms cannot express the order.
   * Called inside the write that records the order, which may run again: then the last answer counts.
   */
  envelope(intent: Intent, market: Market): Envelope | Refusal;
  /** The identity that its envelope gives an order: the same whenever and wherever it is asked for. */
  sign(order: Order): Promise<string>;
}
