import type { OrderState } from '../../../core/order/lifecycle.js';
import type { Order } from '../../../core/order/order.js';
import type { OrderStatusReport } from '../../../ports/exchange.js';
import type { MassStatus } from '../../../ports/venue-adapter.js';
import { decimalOrNull } from '../../venue/decimals.js';
import { type Alarm, rejected, unknown } from '../../venue/order-results.js';
import type { VenueOrder } from '../http/order-wire.js';
import type { UserEvent } from '../websocket/user-wire.js';
import { namedIn } from './mass-status.js';

import { acceptedBy, evidenceIn, hasEnded, isAnother } from './trade-evidence.js';
import { neverRests, type OwnUnsigned, unsignedIn } from './unsigned-order.js';

/** The dependencies of reading a message. */
export interface MessageOptions {
  readonly alarm: Alarm;
  /** Looks up a single order. */
  find(order: Order): Promise<OrderStatusReport>;
  /** Looks up an order that the venue's message reports as ended, in case a lookup no longer shows it. */
  findEnded(order: Order, streamed: VenueOrder): Promise<OrderStatusReport>;
  /** Called with the id of each order that is shown. */
  onShown(venueOrderId: string): void;
}

const UNMENTIONED = 'The message does not mention the order.';
const NOTHING = { executions: [], failed: [] };

/**
 * What one message of the user stream shows. It says nothing of shares that it does not name, so the rest counts as open.
 * The trades of an ended order are read from the venue, and may still come later (`polymarket.md` 3.2).
 */
export function massStatusOfEvent(event: UserEvent, options: MessageOptions): MassStatus {
  const named =
    event.type === 'trade'
      ? namedIn([], [{ conditionId: event.trade.conditionId, ours: event.ours }])
      : namedIn([event.order], []).map((order) => ({ ...order, resting: rests(event) }));
  return {
    kind: 'mass_status',
    unread: null,
    named,
    reportOf: async (order) => {
      const own = unsignedIn(order);
      if (own === null) return options.find(order);
      return event.type === 'trade' ? byTrade(order, own, event, options) : byOrder(order, own, event, options);
    },
  };
}

type TradeEvent = Extract<UserEvent, { readonly type: 'trade' }>;
type OrderEvent = Extract<UserEvent, { readonly type: 'order' }>;

function byTrade(
  order: Order,
  own: OwnUnsigned,
  { trade }: TradeEvent,
  { alarm, find }: MessageOptions,
): OrderStatusReport | Promise<OrderStatusReport> {
  const evidence = evidenceIn(order, own, [trade], alarm);
  if (!evidence.named) return unknown(UNMENTIONED);
  return evidence.whole ? acceptedBy(own, evidence, 'open') : find(order);
}

function byOrder(
  order: Order,
  own: OwnUnsigned,
  event: OrderEvent,
  { alarm, findEnded, onShown }: MessageOptions,
): OrderStatusReport | Promise<OrderStatusReport> {
  const { order: shown, change } = event;
  if (shown.venueOrderId.toLowerCase() !== own.hash.toLowerCase()) return unknown(UNMENTIONED);
  if (isAnother(own, shown)) {
    alarm('another order under our identity', own.hash);
    return unknown('The venue shows another order under the identity of this one.');
  }
  if (isKilled(order, own, event)) return killedOf(order);
  if (isGone(shown.status)) return findEnded(order, shown);
  if (change === 'cancellation') return findEnded(order, { ...shown, status: 'CANCELED', isKnownStatus: true });
  onShown(own.hash);
  return acceptedBy(own, NOTHING, shown.status === 'DELAYED' ? 'delayed' : 'open');
}

/**
 * A FOK or FAK that matched nothing was never accepted, although the stream reports it as cancelled: before, after or
 * instead of the answer.
 */
function isKilled({ state, fills }: Order, own: OwnUnsigned, { order: shown, change }: OrderEvent): boolean {
  const isOver = change === 'cancellation' || isGone(shown.status);
  return isOver && neverRests(own) && KILLABLE.has(state) && fills.length === 0 && foundNothing(shown, state);
}

/** The states of orders that were not answered, were delayed, or were refused. */
const KILLABLE: ReadonlySet<OrderState> = new Set(['submitting', 'unknown', 'delayed', 'rejected']);
/** The venue's texts that say so, in upper case (`polymarket.md` 2.4). */
const KILLS = ["COULDN'T BE FULLY FILLED", 'NO ORDERS FOUND TO MATCH'];

/**
 * With those texts the size may be missing. Without them, an order not yet answered traded nothing, and a delayed one is
 * open.
 */
function foundNothing({ tradeIds, sizeMatched, status }: VenueOrder, state: OrderState): boolean {
  const isSaid = KILLS.some((words) => status.includes(words));
  const isNone = decimalOrNull(sizeMatched) === 0n;
  return tradeIds.length === 0 && (isSaid ? isNone || sizeMatched === '' : isNone && state !== 'delayed');
}

/**
 * The answer to the order says so too, unless it was lost or only said that the order was delayed: then only this message
 * does.
 */
function killedOf({ state, intent }: Order): OrderStatusReport {
  if (state === 'submitting' || state === 'rejected') return unknown(UNMENTIONED);
  return rejected(intent.timeInForce === 'FOK' ? 'fok_not_filled' : 'fak_no_match', 'There was nothing to match.');
}

/** Matched is not an end by itself: trades show how much was filled. */
const isGone = (status: string): boolean => status !== 'MATCHED' && hasEnded({ status });

const rests = ({ change, order }: OrderEvent): boolean => change !== 'cancellation' && !hasEnded(order);
