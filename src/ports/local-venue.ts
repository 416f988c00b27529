import type { LeaseInHand } from '../core/ledger/lease.js';
import type { Market } from '../core/market/market.js';
import type { Order } from '../core/order/order.js';
import type { PlaceResult } from './order-results.js';

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
  /**
   * Decides inside the very write that records the order; null when the answer takes time and comes from `Exchange.place`.
   * Pure: the write may run again.
   */
  place(order: Order): PlaceResult | null;
}
