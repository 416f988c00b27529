import { InvariantBroken } from '../errors.js';
import type { AccountId, OrderId } from '../ids.js';
import type { QuotedPrices } from '../market/book.js';
import { isoText } from '../moment.js';
import type { Usdc } from '../money.js';
import type { MarketAtOrder } from './market-at-order.js';
import type { Fill, Intent, Refusal } from './order.js';

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
      readonly venueReference?: string | undefined;
      readonly atArrival?: QuotedPrices | undefined;
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
  /** The result is known; `returned` is what came back, `perShare` what each share of its outcome pays. */
  | { readonly type: 'settled'; readonly returned: Usdc; readonly perShare?: Usdc }
  /** The venue changed the result. */
  | { readonly type: 'amended'; readonly returned: Usdc; readonly perShare?: Usdc };

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

/** The members of a record that are not text, number or boolean in its document; omitting one does not compile. */
type Codec<T> = {
  readonly [Name in keyof T as NonNullable<T[Name]> extends string | number | boolean ? never : Name]-?: NonNullable<
    T[Name]
  > extends bigint
    ? 'amount'
    : NonNullable<T[Name]> extends Date
      ? 'moment'
      : Codec<NonNullable<T[Name]>>;
};

type ChangeOf<Type extends OrderEventType> = Omit<Extract<OrderChange, { readonly type: Type }>, 'type'>;

const QUOTED = { best: 'amount', mid: 'amount' } as const;

const DECIDED_ON = { event: {}, startsAt: 'moment', probability: 'amount', quoted: QUOTED } as const;

const INTENT: Codec<Intent> = {
  price: 'amount',
  size: 'amount',
  shares: 'amount',
  expiresAt: 'moment',
  feeSchedule: {
    rate: 'amount',
    asOf: 'moment',
    makerRate: 'amount',
    rounding: { step: 'amount', balanceStep: 'amount' },
  },
  strategy: {},
  envelope: { sendBy: 'moment', spends: 'amount', dust: 'amount' },
  spends: 'amount',
  arrivesAt: 'moment',
  counted: { start: 'amount', counts: {} },
  decidedOn: DECIDED_ON,
};

const FILL: Codec<Fill> = {
  shares: 'amount',
  price: 'amount',
  notional: 'amount',
  fee: 'amount',
  basis: {
    cost: 'amount',
    strategyShares: 'amount',
    strategyCost: 'amount',
    fees: 'amount',
    strategyFees: 'amount',
  },
  taken: { price: 'amount', shares: 'amount', displayed: 'amount', at: 'moment' },
};

const REFUSED = { refusal: {} } as const;
const PAID = { returned: 'amount', perShare: 'amount' } as const;

const CODECS: { readonly [Type in OrderEventType]: Codec<ChangeOf<Type>> } = {
  requested: { intent: INTENT },
  denied: REFUSED,
  submitting: {},
  unknown: REFUSED,
  accepted: { atArrival: QUOTED },
  rejected: REFUSED,
  fill: { fill: FILL },
  fill_confirmed: {},
  fill_voided: {},
  cancel_requested: { arrivesAt: 'moment' },
  cancel_refused: {},
  cancelled: {},
  expired: {},
  settled: PAID,
  amended: PAID,
};

/** The text of each change, cached: it is hashed, stored and hashed again, and a change is immutable. */
const texts = new WeakMap<OrderChange, string>();

/** The change as canonical JSON: micro-units as decimal integers in strings, moments as ISO 8601. */
export function encodeChange(change: OrderChange): string {
  const known = texts.get(change);
  if (known !== undefined) return known;
  const text = recordText(change);
  texts.set(change, text);
  return text;
}

/**
 * Reads back what `encodeChange` wrote, now or years ago: its text stays the one that was hashed. For stores only: the text
 * was valid when it was written. @throws InvariantBroken for an unknown kind of change
 */
export function decodeChange(text: string): OrderChange {
  const change = JSON.parse(text) as OrderChange;
  const codec: RecordCodec | undefined = CODECS[change.type];
  if (codec === undefined) throw new InvariantBroken(`a stored change is of a known kind; got ${change.type}`);
  restore(change, codec);
  texts.set(change, text);
  return change;
}

/** What an order was decided on as the same JSON. */
export const encodeMarketAtOrder = (market: MarketAtOrder): string => recordText(market);
/** Reads back what `encodeMarketAtOrder` wrote. */
export const decodeMarketAtOrder = (text: string): MarketAtOrder => recordIn(text, DECIDED_ON);
/** Quoted prices as the same JSON. */
export const encodeQuoted = (quoted: QuotedPrices): string => recordText(quoted);
/** Reads back what `encodeQuoted` wrote. */
export const decodeQuoted = (text: string): QuotedPrices => recordIn(text, QUOTED);

/** A record as canonical JSON: micro-units as decimal integers in strings, moments as ISO 8601. */
export const recordText = (record: object): string => JSON.stringify(withoutAmounts(record));

/** The word of the text for `Intent.counted`: what was hashed keeps its words. */
const COUNTED = 'bet';

/** The record with its amounts as text. A copy is written faster than the record with a function for each value. */
function withoutAmounts(record: object): object {
  const members = record as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name in members) {
    const value = members[name];
    const nested = typeof value === 'object' && value !== null && !(value instanceof Date);
    copy[name === 'counted' ? COUNTED : name] =
      typeof value === 'bigint' ? value.toString() : nested ? withoutAmounts(value) : value;
  }
  return copy;
}

/** Reads back a record that `recordText` wrote. */
export const recordIn = <T extends object>(text: string, codec: RecordCodec): T => restored(JSON.parse(text), codec);

/** A record as JSON has it, with its amounts and moments; in place, since a copy of many members takes longer than to read them. */
export function restored<T extends object>(record: T, codec: RecordCodec): T {
  restore(record, codec);
  return record;
}

/** Any of these codecs. */
export interface RecordCodec {
  readonly [member: string]: 'amount' | 'moment' | RecordCodec;
}

/** Restores members in place, so that they keep their order. Members that did not exist when the text was written stay absent. */
function restore(record: object, codec: RecordCodec): void {
  const members = record as Record<string, unknown>;
  for (const name in codec) {
    const how = codec[name];
    if (name === 'counted' && members[COUNTED] !== undefined) {
      members[name] = members[COUNTED];
      delete members[COUNTED];
    }
    const value = members[name];
    if (typeof value === 'string') members[name] = how === 'amount' ? BigInt(value) : new Date(value);
    else if (typeof value === 'object' && value !== null && typeof how === 'object') restore(value, how);
  }
}

/** The text whose digest is the event's hash. */
export function chainText(previous: string, event: Omit<OrderEvent, 'hash'>): string {
  return `${previous}\n${event.orderId}\n${event.seq}\n${isoText(event.at)}\n${encodeChange(event.change)}`;
}
