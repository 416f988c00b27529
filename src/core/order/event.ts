import type { AccountId, OrderId } from '../ids.js';
import type { Usdc } from '../money.js';
import type { Fill } from './fill.js';
import type { Intent } from './intent.js';
import type { Refusal } from './order.js';

/** What happened, without the time and the order. */
export type OrderChange =
  | { readonly type: 'requested'; readonly intent: Intent }
  | { readonly type: 'denied'; readonly refusal: Refusal }
  /** `venueOrderId` where it is known before anything is sent. */
  | { readonly type: 'submitting'; readonly venueOrderId?: string }
  | { readonly type: 'unknown'; readonly refusal: Refusal }
  /** `venueReference` where the venue's name for the order differs from the one that it was sent under. */
  | {
      readonly type: 'accepted';
      readonly venueOrderId: string;
      readonly delayed: boolean;
      readonly venueReference?: string;
    }
  /** `presumed` where the rejection is not final: if the order shows up after all, it is accepted. */
  | { readonly type: 'rejected'; readonly refusal: Refusal; readonly presumed: boolean }
  | { readonly type: 'fill'; readonly fill: Fill }
  | { readonly type: 'fill_confirmed'; readonly tradeId: string }
  /** `resting`: the voided shares are back on the book. Otherwise they are gone with the fill. */
  | { readonly type: 'fill_voided'; readonly tradeId: string; readonly resting: boolean; readonly reason: string }
  /** `arrivesAt` where it is known when the cancellation reaches the book. */
  | { readonly type: 'cancel_requested'; readonly arrivesAt?: Date }
  | { readonly type: 'cancel_refused'; readonly reason: string }
  | { readonly type: 'cancelled'; readonly reason: string }
  | { readonly type: 'expired'; readonly reason: string }
  /** The result is known; `returned` is what came back. */
  | { readonly type: 'settled'; readonly returned: Usdc }
  /** The venue changed the result. */
  | { readonly type: 'amended'; readonly returned: Usdc };

/** The kind of an event, as the API shows it. */
export type OrderEventType = OrderChange['type'];

/** One line of an order's history. `seq` starts at 1 and has no holes; `hash` covers this event and all before it. */
export interface OrderEvent {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly seq: number;
  readonly at: Date;
  readonly change: OrderChange;
  readonly hash: string;
}
