import type { MarketId } from '../core/ids.js';
import type { Side } from '../core/market/side.js';
import type { Price, Shares } from '../core/money.js';
import type { Order } from '../core/order/order.js';
import type { OrderStatusReport, Unknown } from './order-results.js';

/** All that a venue shows of the wallet that orders with real money trade for, to be held against what is on record. */
export interface VenueAccount {
  /**
   * Looks at every order that rests and at every trade since about that moment. What the venue did not tell in full is
   * `unknown`: nothing of it may be taken for all there is.
   */
  massStatus(since: Date): Promise<MassStatus | Unknown>;
}

/** What one look at the venue, or one message of it, shows. */
export interface MassStatus {
  readonly kind: 'mass_status';
  /** Every order of the wallet that it names. That one is missing proves nothing. */
  readonly named: readonly NamedOrder[];
  /** What of it could not be read, in words: what it may have told is to be looked for again. Null when nothing. */
  readonly unread: string | null;
  /** What it shows of an order of ours; the venue is asked once more for one that a whole look does not explain. */
  reportOf(order: Order): Promise<OrderStatusReport>;
}

/** An order of the wallet as the venue shows it, whoever placed it. */
export interface NamedOrder {
  readonly venueOrderId: string;
  readonly marketId: MarketId;
  /** The venue's id of the outcome; null where it is not told, like the next three. */
  readonly tokenId: string | null;
  readonly side: Side | null;
  readonly price: Price | null;
  readonly shares: Shares | null;
  /** True where the venue shows it on its book; false where a trade names it, which tells nothing of the rest. */
  readonly resting: boolean;
}
