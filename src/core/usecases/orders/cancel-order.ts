import type { Ledger } from '../../../ports/ledger.js';
import type { CancelResult, OrderStatusReport } from '../../../ports/order-results.js';
import { OrderNotCancellable, OrderNotFound } from '../../errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { checkLease, type LeaseInHand, leased, leaseOf, mayAct } from '../../ledger/lease.js';
import { earlierResult, type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import { scopeOf } from '../../ledger/scope.js';
import { CANCELLATION_UNKNOWN, type OrderStatus, statusOf } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { answerOf, booked, recordCancelResult, recordExecutions, recordStatusReport } from '../../posting/outcome.js';
import { type OrderContext, Posting } from '../../posting/posting.js';
import type { Venues } from '../../venues/venues.js';
import type { Recorded } from './place-order.js';

/** Which order to cancel, and for whom. */
export interface CancelOrderCommand {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly idempotencyKey: string | null;
}

/**
 * Asks the venue to cancel what is left of an order, and books what filled until then. An order that is cancelled
 * already is answered as it is. One with real money of which nobody knows whether the venue has it is cancelled there by its
 * identity at once, and again should it show up later.
 */
export class CancelOrder {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly context: OrderContext,
  ) {}

  /** @throws OrderNotFound, OrderNotCancellable, PaperElsewhere, IdempotencyKeyReused */
  async execute({ account, orderId, idempotencyKey }: CancelOrderCommand): Promise<Recorded<Order>> {
    const request = keyed(account, 'orders.cancel', idempotencyKey, { orderId });
    const found = await this.ledger.findOrder(account, orderId);
    if (found === undefined) throw new OrderNotFound();
    const venue = this.venues.exchangeOf(found.intent);
    const lease = leaseOf(venue);
    const scope = { ...scopeOf(found), ...leased(lease) };
    const keyedScope = { ...scope, ...(request === null ? {} : { request: request.key }) };
    const asked = await this.ledger.write(keyedScope, (now) => this.#ask(now, orderId, request, lease));
    const asks = asked.record.state === 'cancel_pending' || isUntold(asked.record);
    if (!asks || venue === null) return asked;
    const answer = await answerOf(venue, (v) => v.cancel(asked.record));
    const seen = await answerOf(venue, (v) => v.find(asked.record));
    const conclude = (report: OrderStatusReport) =>
      this.ledger.write(scope, (now) => this.#conclude(now, orderId, lease, [answer, report]));
    return { record: await booked(seen, conclude), replayed: asked.replayed };
  }

  #ask(now: Snapshot, id: OrderId, request: KeyedRequest | null, lease: LeaseInHand): Decision<Recorded<Order>> {
    const order = onRecord(now, id);
    const at = this.context.wallClock.now();
    const replayed = earlierResult(now, request, at) !== undefined;
    if (replayed) return { result: { record: order, replayed } };
    const requests = requestRecords(request, id, !order.intent.paper, at);
    const isAsked = order.state === 'cancel_pending' || order.refusal?.code === CANCELLATION_UNKNOWN;
    if (order.state === 'cancelled' || isAsked) return { result: { record: order, replayed }, requests };
    if (order.state !== 'open' && !isUntold(order)) throw new OrderNotCancellable(heldAs(order));
    checkLease(now, lease);
    const posting = Posting.resume(now, this.context, order);
    const arrivesAt = this.venues.exchangeOf(order.intent)?.local?.arrival(posting.at) ?? null;
    posting.record({ type: 'cancel_requested', ...(arrivesAt !== null && { arrivesAt }) });
    return { ...posting.decision({ record: posting.order, replayed }), requests };
  }

  /** Nothing is concluded once the lease was lost: the next owner carries the cancellation out. */
  #conclude(
    now: Snapshot,
    id: OrderId,
    lease: LeaseInHand,
    [answer, seen]: readonly [CancelResult, OrderStatusReport],
  ): Decision<Order> {
    const posting = Posting.resume(now, this.context, onRecord(now, id));
    if (!mayAct(now, lease)) return { result: posting.order };
    if (isUntold(posting.order)) recordArrival(posting, answer, seen);
    else recordExecutions(posting, seen);
    recordCancelResult(posting, answer);
    return posting.decision(posting.order);
  }
}

/** That it is delayed tells more than that it is filled in part: it passes. */
const heldAs = (order: Order): OrderStatus => (order.state === 'delayed' ? 'delayed' : statusOf(order));

/** Real money: nobody knows yet whether the venue has it. */
const isUntold = ({ state, intent }: Order): boolean => state === 'unknown' && !intent.paper;

/** That the venue cancelled it proves that it had arrived; what is found only now is still to be cancelled. */
function recordArrival(posting: Posting, answer: CancelResult, seen: OrderStatusReport): void {
  const { venueOrderId } = posting.order;
  if (answer.kind === 'cancelled' && seen.kind !== 'accepted' && venueOrderId !== null) {
    posting.record({ type: 'accepted', venueOrderId, delayed: false });
  } else recordStatusReport(posting, seen);
  if (posting.order.state === 'open') posting.record({ type: 'cancel_requested' });
}

function onRecord(now: Snapshot, id: OrderId): Order {
  const order = now.order(id);
  if (order === undefined) throw new OrderNotFound();
  return order;
}
