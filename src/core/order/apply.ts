import { balanced, cashOf, type JournalEntry, type JournalLine, line } from '../account/account.js';
import { InvariantBroken, TransitionForbidden } from '../errors.js';
import { AMOUNT_LIMIT, isPrice, minus, NO_USDC, plus, proportion, type Usdc } from '../money.js';
import type { OrderChange, OrderEvent } from './event.js';
import { AFTER_SETTLEMENT, ALLOWED, CANCELLATION_UNKNOWN, IDENTITY_MISMATCH, type OrderState } from './lifecycle.js';
import { type Fill, type Intent, isImmediate, NOTHING_FILLED, type Order, remaining, sumFills } from './order.js';

type Later = Exclude<OrderChange, { type: 'requested' }>;
type Step = Partial<
  Pick<
    Order,
    | 'state'
    | 'venueOrderId'
    | 'venueReference'
    | 'fills'
    | 'filled'
    | 'settlement'
    | 'refusal'
    | 'presumed'
    | 'atArrival'
  >
>;

/**
 * The order after one event: an order's row is its events, applied in sequence.
 * @throws TransitionForbidden when the lifecycle does not allow the event now.
 * @throws InvariantBroken when the event is out of sequence or its outcome contradicts itself.
 */
export function applyEvent(order: Order | undefined, event: OrderEvent): Order {
  const { change, seq, at } = event;
  if (order === undefined) return begin(event);
  if (change.type === 'requested') throw new TransitionForbidden(order.state, change.type);
  if (seq !== order.seq + 1) throw new InvariantBroken(`event ${seq} follows event ${order.seq}`);
  const allowed: readonly OrderState[] = ALLOWED[change.type];
  const late = order.settlement !== null && !AFTER_SETTLEMENT.has(change.type);
  if (late || !allowed.includes(order.state))
    throw new TransitionForbidden(late ? 'settled' : order.state, change.type);
  const unfounded =
    (change.type === 'amended' && order.settlement === null) ||
    (change.type === 'accepted' && order.state === 'rejected' && !order.presumed);
  if (unfounded) throw new TransitionForbidden(order.state, change.type);
  const next = after(order, step(order, change, at), event);
  checkOrder(next);
  return next;
}

/** One literal: a copy with members put over it takes several times as long. */
function after(order: Order, changed: Step, { seq, hash, at }: OrderEvent): Order {
  return {
    id: order.id,
    account: order.account,
    intent: order.intent,
    state: changed.state ?? order.state,
    venueOrderId: changed.venueOrderId === undefined ? order.venueOrderId : changed.venueOrderId,
    venueReference: changed.venueReference === undefined ? order.venueReference : changed.venueReference,
    fills: changed.fills ?? order.fills,
    filled: changed.filled ?? order.filled,
    settlement: changed.settlement === undefined ? order.settlement : changed.settlement,
    refusal: changed.refusal === undefined ? order.refusal : changed.refusal,
    presumed: changed.presumed ?? order.presumed,
    atArrival: changed.atArrival ?? order.atArrival,
    placedAt: order.placedAt,
    updatedAt: at,
    seq,
    eventHash: hash,
  };
}

/** Rebuilds an order from its whole history. */
export function replay(events: readonly OrderEvent[]): Order {
  let order: Order | undefined;
  for (const event of events) order = applyEvent(order, event);
  if (order === undefined) throw new InvariantBroken('an order has at least one event');
  return order;
}

function begin(event: OrderEvent): Order {
  const { change, orderId, account, seq, at, hash } = event;
  if (change.type !== 'requested' || seq !== 1) throw new TransitionForbidden('not on record', change.type);
  const order: Order = {
    id: orderId,
    account,
    intent: change.intent,
    state: 'pending',
    venueOrderId: null,
    venueReference: null,
    fills: [],
    filled: NOTHING_FILLED,
    settlement: null,
    refusal: null,
    presumed: false,
    atArrival: undefined,
    placedAt: at,
    updatedAt: at,
    seq,
    eventHash: hash,
  };
  checkOrder(order);
  return order;
}

function step(order: Order, change: Later, at: Date): Step {
  switch (change.type) {
    case 'denied':
    case 'unknown':
      return { state: change.type, refusal: change.refusal };
    case 'rejected':
      return { state: 'rejected', refusal: change.refusal, presumed: change.presumed };
    case 'submitting':
      return { state: 'submitting', venueOrderId: identity(order, change.venueOrderId ?? null), refusal: null };
    case 'accepted':
      return {
        state: change.delayed ? 'delayed' : 'open',
        venueOrderId: identity(order, change.venueOrderId),
        presumed: false,
        venueReference: order.venueReference ?? change.venueReference ?? null,
        refusal: null,
        atArrival: change.atArrival,
      };
    case 'fill':
      return filled(
        order,
        [...order.fills, change.fill],
        order.fills.some((f) => f.tradeId === change.fill.tradeId),
      );
    case 'fill_confirmed':
      return refilled(resettled(order.fills, change.tradeId, 'confirmed'));
    case 'fill_voided':
      return voided(order, change.tradeId, change.resting, change.reason);
    case 'cancel_requested':
      return order.state === 'unknown' ? cancelledUnseen(order) : { state: 'cancel_pending', refusal: null };
    case 'cancel_refused':
      return { state: 'open' };
    case 'cancelled':
      return ended(order, change.reason);
    case 'settled':
    case 'amended':
      return { settlement: { returned: change.returned, at } };
    default:
      return { state: change.type, refusal: null };
  }
}

function identity({ venueOrderId }: Order, reported: string | null): string | null {
  if (venueOrderId !== null && reported !== null && venueOrderId !== reported) {
    throw new InvariantBroken('the identity at the venue never changes');
  }
  return venueOrderId ?? reported;
}

function filled(order: Order, fills: readonly Fill[], duplicate: boolean): Step {
  if (duplicate) throw new InvariantBroken('a trade counts once');
  const sums = refilled(fills);
  const settlement = null;
  const isWhole = remaining({ intent: order.intent, filled: sums.filled }) === 0n;
  const isHeld = order.state === 'delayed' && isImmediate(order.intent);
  const ofPart = isHeld ? 'delayed' : (AFTER_FILL[order.state] ?? 'open');
  return { fills, filled: sums.filled, state: isWhole ? 'filled' : ofPart, refusal: null, settlement };
}

/** A fill moves an order to `open`, unless it never rests, is about to end or has ended. */
const AFTER_FILL: { readonly [State in OrderState]?: OrderState } = {
  cancel_pending: 'cancel_pending',
  cancelled: 'cancelled',
  expired: 'expired',
  failed: 'cancelled',
};

function voided(order: Order, tradeId: string, resting: boolean, reason: string): Step {
  const sums = refilled(resettled(order.fills, tradeId, 'voided'));
  if (order.state !== 'filled') return sums;
  if (resting) return { ...sums, state: 'open' };
  if (sums.filled.shares > 0n) return { ...sums, state: 'cancelled' };
  return { ...sums, state: 'failed', refusal: { code: 'fill_failed', message: reason } };
}

function resettled(fills: readonly Fill[], tradeId: string, settlement: Fill['settlement']): Fill[] {
  const open = fills.some((fill) => fill.tradeId === tradeId && fill.settlement === 'provisional');
  if (!open) throw new InvariantBroken('only a provisional fill is confirmed or voided, and only once');
  return fills.map((fill) => (fill.tradeId === tradeId ? { ...fill, settlement } : fill));
}

function refilled(fills: readonly Fill[]): Required<Pick<Order, 'fills' | 'filled'>> {
  return { fills, filled: sumFills(fills) };
}

/** The request replaces the reason why the order is unknown, unless no query of the venue can resolve that. */
function cancelledUnseen({ refusal }: Order): Step {
  if (refusal?.code === IDENTITY_MISMATCH) return { state: 'unknown', refusal };
  const message = 'It is not known whether the venue has the order; its cancellation was requested.';
  return { state: 'unknown', refusal: { code: CANCELLATION_UNKNOWN, message } };
}

/** The state in which an order ends: one that was matched in full, and whose fills were all undone, has failed. */
function ended(order: Order, reason: string): Step {
  const matched = order.fills.reduce((sum, { shares }) => sum + shares, 0n);
  if (order.filled.shares === 0n && matched >= order.intent.shares) {
    return { state: 'failed', refusal: { code: 'fill_failed', message: reason } };
  }
  return { state: isDust(order) ? 'filled' : 'cancelled', refusal: null };
}

/** True of a remainder that the venue rounded away. */
function isDust(order: Order): boolean {
  const { envelope } = order.intent;
  return envelope !== null && order.filled.shares > 0n && remaining(order) <= envelope.dust;
}

const REFUSED: ReadonlySet<OrderState> = new Set(['denied', 'rejected', 'failed', 'unknown']);
const ACCEPTED: ReadonlySet<OrderState> = new Set([
  'delayed',
  'open',
  'cancel_pending',
  'filled',
  'cancelled',
  'failed',
]);

/**
 * The rules that hold for every order at every moment; checked in production too. The SQL stores have the same rules as
 * CHECK constraints.
 * @throws InvariantBroken naming the rule.
 */
function checkOrder(order: Order): void {
  const { filled, intent, settlement, state } = order;
  must(isPrice(intent.price), 'a price lies between 0 and 1');
  must(intent.size > 0n && intent.size < AMOUNT_LIMIT, 'a size is above 0 and below 2^53');
  must(intent.shares >= 0n && intent.shares < AMOUNT_LIMIT, '0 <= shares < 2^53');
  must(
    order.fills.every((fill) => isWithinLimit(intent, fill)),
    'a fill has shares, no negative fee, and no price worse than the limit',
  );
  must(order.fills.every(isThere), 'a fill takes no more than is displayed and left of it');
  must(filled.confirmed <= filled.shares, 'confirmed <= filled');
  must(intent.side === 'SELL' || filled.notional <= intent.size, 'a purchase never spends more than its size');
  must(intent.side === 'BUY' || filled.shares <= intent.shares, 'a sale never sells more than its shares');
  must((order.refusal !== null) === REFUSED.has(state), 'error is set for denied, rejected, failed and unknown alone');
  must(order.venueOrderId !== null || !ACCEPTED.has(state), 'an accepted order has its identity at the venue');
  must(state !== 'filled' || filled.shares > 0n, 'filled means that something was filled');
  must(settlement === null || settlement.at >= order.placedAt, 'settled after placed');
}

function isWithinLimit({ side, price }: Intent, fill: Fill): boolean {
  return fill.shares > 0n && fill.fee >= 0n && (side === 'BUY' ? fill.price <= price : fill.price >= price);
}

function isThere({ shares, taken }: Fill): boolean {
  return taken === undefined || (shares <= taken.shares && taken.shares <= taken.displayed);
}

function must(hold: boolean, rule: string): void {
  if (!hold) throw new InvariantBroken(rule);
}

/** The entry that a fill makes; `id` is a new one. */
export function fillEntry(order: Order, fill: Fill, id: string, at: Date): JournalEntry {
  const { account, intent } = order;
  const lines = intent.side === 'BUY' ? purchase(order, fill, fill.notional) : sale(order, fill);
  const { paper, venue } = cashOf(intent);
  return balanced({ id, account, paper, venue, at, cause: 'fill', orderId: order.id, lines });
}

/** The entry that takes a fill back; `cost` is what leaves the position with the shares of an undone purchase. */
export function voidEntry(order: Order, fill: Fill, cost: Usdc, id: string, at: Date): JournalEntry {
  const { account, intent } = order;
  const made = intent.side === 'BUY' ? purchase(order, fill, cost) : sale(order, fill);
  const lines = made.map(({ ledger, held, amount }) => ({ ledger, held, amount: -amount as Usdc }));
  const { paper, venue } = cashOf(intent);
  return balanced({ id, account, paper, venue, at, cause: 'void', orderId: order.id, lines });
}

function purchase({ intent }: Order, { notional, fee }: Fill, cost: Usdc): JournalLine[] {
  const { venue, marketId, outcome } = intent;
  const holding: JournalLine = { ledger: 'position', held: { venue, marketId, outcome }, amount: cost };
  const gain = line('realised', minus(notional, cost));
  return [holding, line('fees', fee), line('cash', -plus(notional, fee) as Usdc), gain];
}

function sale({ intent }: Order, { notional, fee, basis }: Fill): JournalLine[] {
  const { venue, marketId, outcome } = intent;
  const holding: JournalLine = { ledger: 'position', held: { venue, marketId, outcome }, amount: -basis.cost as Usdc };
  return [
    line('cash', minus(notional, fee)),
    line('fees', fee),
    holding,
    line('realised', minus(basis.cost, notional)),
  ];
}

/** What a sale earned for the strategy's part of the position, which may hold fewer shares than were sold. */
export function shareOfPart({ shares, notional, fee, basis }: Fill): { readonly proceeds: Usdc; readonly fee: Usdc } {
  if (basis.strategyShares === 0n) return { proceeds: NO_USDC, fee: NO_USDC };
  return {
    proceeds: proportion(notional, basis.strategyShares, shares, 'floor'),
    fee: proportion(fee, basis.strategyShares, shares, 'ceil'),
  };
}
