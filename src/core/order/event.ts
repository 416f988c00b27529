import type { AccountId, OrderId } from '../ids.js';
import type { Usdc } from '../money.js';
import type { Fill } from './fill.js';
import type { Intent } from './intent.js';
import type { Refusal } from './order.js';

/** What happened, without when and to which order. */
export type OrderChange =
  | { readonly type: 'requested'; readonly intent: Intent }
  | { readonly type: 'denied'; readonly refusal: Refusal }
  /** `venueOrderId` where it is known before anything is sent. */
  | { readonly type: 'submitting'; readonly venueOrderId?: string }
  | { readonly type: 'unknown'; readonly refusal: Refusal }
  | { readonly type: 'accepted'; readonly venueOrderId: string; readonly delayed: boolean }
  | { readonly type: 'rejected'; readonly refusal: Refusal }
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
  /** The result was another one after all. */
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

const MONEY = new Set([
  'rate',
  'price',
  'size',
  'shares',
  'notional',
  'fee',
  'cost',
  'strategyShares',
  'strategyCost',
  'returned',
  'spends',
]);
const MOMENTS = new Set(['expiresAt', 'asOf', 'sendBy', 'arrivesAt']);

/** A change is encoded for its hash and again for its row; it never changes, so neither does its text. */
const encoded = new WeakMap<OrderChange, string>();

/** The change as canonical JSON: micro-units as decimal integers in strings, moments as ISO 8601. */
export function encodeChange(change: OrderChange): string {
  const known = encoded.get(change);
  if (known !== undefined) return known;
  const text = JSON.stringify(change, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  encoded.set(change, text);
  return text;
}

/** Reads back what `encodeChange` wrote. For stores only: the text was valid when it was written. */
export function decodeChange(text: string): OrderChange {
  return JSON.parse(text, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (MONEY.has(key)) return BigInt(value);
    return MOMENTS.has(key) ? new Date(value) : value;
  }) as OrderChange;
}

/** The text whose digest is the event's hash. */
export function chainText(previous: string, event: Omit<OrderEvent, 'hash'>): string {
  return `${previous}\n${event.orderId}\n${event.seq}\n${event.at.toISOString()}\n${encodeChange(event.change)}`;
}
