import type { VenueName } from '../core/ids.js';
import type { NamedOrder } from './venue-account.js';

/** An order of the wallet that was not placed here. */
export interface ExternalOrder extends NamedOrder {
  readonly venue: VenueName;
  readonly firstSeen: Date;
}

/** Keeps the wallet's orders at the venue that no record of ours explains, so that an operator can examine them. */
export interface ExternalOrders {
  /**
   * Records the orders that are new, by venue and identity there, and returns those; of the others only `resting` is
   * updated. A repetition changes nothing. @throws StorageUnavailable
   */
  recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]>;
  /** By their identity at the venue; `after` is one of those. @throws StorageUnavailable */
  listExternalOrders(page: { readonly limit: number; readonly after?: string }): Promise<readonly ExternalOrder[]>;
}
