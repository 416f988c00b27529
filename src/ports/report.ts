import type { Execution } from '../core/order/fill.js';
import type { Order, Refusal } from '../core/order/order.js';

/** What happened to an order at its venue, and when, reported unasked. */
export type Report = { readonly at: Date } & (
  | { readonly type: 'accepted'; readonly venueOrderId: string; readonly delayed: boolean }
  | { readonly type: 'denied'; readonly refusal: Refusal }
  | { readonly type: 'rejected'; readonly refusal: Refusal }
  | { readonly type: 'fill'; readonly execution: Execution }
  | { readonly type: 'cancelled' | 'expired' | 'cancel_refused'; readonly reason: string }
);

/** Puts reports of one order on record, in turn. Resolves once they are durable. */
export type ReportSink = (order: Order, reports: readonly Report[]) => Promise<void>;
