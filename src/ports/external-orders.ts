import type { VenueName } from '../core/ids.js';
import type { NamedOrder } from './venue-account.js';

/** An order of the wallet that was not placed here. */
export interface ExternalOrder extends NamedOrder {
  readonly venue: VenueName;
  readonly firstSeen: Date;
}

/** Keeps what the venue shows of the wallet and no record of ours explains, so that a person can look. */
export interface ExternalOrders {
  /**
   * Puts down those that were not down yet, by venue and identity there, and tells which those were; of the others only
   * `resting` is brought up to date. The same again changes nothing. @throws StorageUnavailable
   */
  recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]>;
  /** By their identity at the venue; `after` is one of those. @throws StorageUnavailable */
  listExternalOrders(page: { readonly limit: number; readonly after?: string }): Promise<readonly ExternalOrder[]>;
}
