import type { VenueName } from '../core/ids.js';
import type { LeaseInHand } from '../core/ledger/lease.js';
import type { QuotedPrices } from '../core/market/book.js';
import type { Market, MarketRef, OutcomeSide } from '../core/market/market.js';
import type { Envelope, Execution, Intent, Order, Refusal } from '../core/order/order.js';

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
  identify(order: Order): Promise<string>;
}

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
  /** The prices of its outcome when the answer came, where they were known. */
  readonly atArrival?: QuotedPrices;
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

/** What happened to an order at its venue, and when, reported unasked. */
export type Report = { readonly at: Date } & (
  | {
      readonly type: 'accepted';
      readonly venueOrderId: string;
      readonly delayed: boolean;
      /** The prices of its outcome then, before it took anything. */
      readonly atArrival?: QuotedPrices | undefined;
    }
  | { readonly type: 'denied'; readonly refusal: Refusal }
  | { readonly type: 'rejected'; readonly refusal: Refusal }
  | { readonly type: 'fill'; readonly execution: Execution }
  | { readonly type: 'cancelled' | 'expired' | 'cancel_refused'; readonly reason: string }
);

/** Puts reports of one order on record, in sequence. Resolves once they are durable. */
export type ReportSink = (order: Order, reports: readonly Report[]) => Promise<void>;

/**
 * How an exchange in this process decides. It stores nothing of its own: all that it knows of an order is on our record, so
 * that asking it again is harmless and no order must be claimed before it is handed over.
 */
export interface LocalVenue {
  /**
   * The lease under which this process may act for the exchange now, so that no two processes do so at once; undefined where
   * any process may.
   */
  lease(): LeaseInHand;
  /**
   * When an order or cancellation sent at a moment reaches its book; null where it is there at once. It is recorded with the
   * order or cancellation.
   */
  arrival(sent: Date): Date | null;
  /** Called before the write that records an order: fetches what `place` needs, such as a book. Never throws. */
  prepare(market: Market): Promise<void>;
  /** The prices of an outcome by the book that it has now; absent, or null, where it has none. */
  quoted?(of: MarketRef, outcome: OutcomeSide): QuotedPrices | null;
  /**
   * Decides inside the very write that records the order; null when the answer takes time and comes from `Exchange.place`.
   * Pure: the write may run again.
   */
  decide(order: Order): PlaceResult | null;
}
