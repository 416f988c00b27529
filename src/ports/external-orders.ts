import type { VenueName } from '../core/ids.js';
import type { Page } from '../core/ledger/query.js';
import type { NamedOrder } from './venue-adapter.js';

/** An order of the wallet that was not placed here. */
export interface ExternalOrder extends NamedOrder {
  readonly venue: VenueName;
  readonly firstSeen: Date;
}

/** Names one order among them; ordered by its identity at the venue, then by venue. */
export type ExternalOrderCursor = Pick<ExternalOrder, 'venueOrderId' | 'venue'>;

/** Keeps the wallet's orders at the venue that no record of ours explains, so that an operator can examine them. */
export interface ExternalOrders {
  /**
   * Records the orders that are new, by venue and identity there, and returns those; of the others only `resting` is
   * updated. A repetition changes nothing. @throws StorageUnavailable
   */
  recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]>;
  /** By their identity at the venue, then by venue. @throws StorageUnavailable */
  listExternalOrders(page: Page<ExternalOrderCursor>): Promise<readonly ExternalOrder[]>;
}
