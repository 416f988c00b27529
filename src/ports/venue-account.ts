import type { MarketId } from '../core/ids.js';
import type { Side } from '../core/market/side.js';
import type { Price, Shares } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { OrderStatusReport, Unknown } from './order-results.js';

/** A venue's view of the wallet of live orders, to be compared with the record. */
export interface VenueAccount {
  /**
   * Fetches every resting order and every trade since about that moment. An incomplete answer is `unknown`: no part of it
   * may be taken for the whole.
   */
  massStatus(since: Date): Promise<MassStatus | Unknown>;
}

/** What one query of the venue, or one message of it, shows. */
export interface MassStatus {
  readonly kind: 'mass_status';
  /** Every order of the wallet that it names. A missing order proves nothing. */
  readonly named: readonly NamedOrder[];
  /** What of it could not be read, in words, and is to be fetched again. Null when all was read. */
  readonly unread: string | null;
  /** What it shows of an order of ours; the venue is queried again for an order that the answer does not explain. */
  reportOf(order: Order): Promise<OrderStatusReport>;
}

/** An order of the wallet as the venue shows it, placed here or elsewhere. */
export interface NamedOrder {
  readonly venueOrderId: string;
  readonly marketId: MarketId;
  /** The venue's id of the outcome; null where it is not reported, like the next three. */
  readonly tokenId: string | null;
  readonly side: Side | null;
  readonly price: Price | null;
  readonly shares: Shares | null;
  /** True where the venue shows it on its book; false where only a trade names it, which says nothing of the rest. */
  readonly resting: boolean;
}
