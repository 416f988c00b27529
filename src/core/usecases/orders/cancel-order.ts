import type { CancelResult, OrderStatusReport } from '../../../ports/exchange.js';
import type { Ledger } from '../../../ports/ledger.js';
import { OrderNotCancellable, OrderNotFound } from '../../errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { Decision, Snapshot } from '../../ledger/decision.js';
import { checkLease, earlierResult, leased, leaseOf, scopeOf } from '../../ledger/decision.js';
import type { LeaseInHand } from '../../ledger/lease.js';
import { type KeyedRequest, keyed, requestRecords } from '../../ledger/request.js';
import { CANCELLATION_UNKNOWN, type OrderStatus } from '../../order/lifecycle.js';
import type { Order } from '../../order/order.js';
import { statusOf } from '../../order/order.js';
import { answerOf, booked, recordCancelResult, recordExecutions, recordStatusReport } from '../../posting/outcome.js';
import type { Posting } from '../../posting/posting.js';
import { orderOnRecord, stepped, takeStep } from '../../posting/posting.js';
import type { OrderContext } from '../../posting/trading-stop.js';
import type { Venues } from '../../venues/venues.js';
import type { Recorded } from './place-order.js';

/** Which order to cancel, and for whom. */
export interface CancelOrderCommand {
  readonly account: AccountId;
  readonly orderId: OrderId;
  readonly idempotencyKey: string | null;
}

/**
 * Asks the venue to cancel what is left of an order, and books what filled until then. An order that is cancelled already is
 * returned as it is. An unknown live order is cancelled by its identity at once, and again if it shows up later.
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
    const exchange = this.venues.exchangeOf(found.intent);
    const lease = leaseOf(exchange);
    const scope = { ...scopeOf(found), ...leased(lease) };
    const keyedScope = { ...scope, ...(request === null ? {} : { request: request.key }) };
    const asked = await this.ledger.write(keyedScope, (now) => this.#ask(now, orderId, request, lease));
    const asks = asked.record.state === 'cancel_pending' || this.#isUnknown(asked.record);
    if (!asks || exchange === null) return asked;
    const answer = await answerOf(exchange, () => exchange.cancel(asked.record));
    const report = await answerOf(exchange, () => exchange.find(asked.record));
    const concluded = (report: OrderStatusReport) =>
      takeStep(this.ledger, this.context, asked.record, (posting) => conclude(posting, answer, report), { lease });
    return { record: await booked(report, concluded), replayed: asked.replayed };
  }

  #ask(now: Snapshot, id: OrderId, request: KeyedRequest | null, lease: LeaseInHand): Decision<Recorded<Order>> {
    const order = orderOnRecord(now, id);
    const at = this.context.wallClock.now();
    const replayed = earlierResult(now, request, at) !== undefined;
    if (replayed) return { result: { record: order, replayed } };
    const requests = requestRecords(request, id, !order.intent.paper, at);
    const isAsked = order.state === 'cancel_pending' || order.refusal?.code === CANCELLATION_UNKNOWN;
    if (order.state === 'cancelled' || isAsked) return { result: { record: order, replayed }, requests };
    if (order.state !== 'open' && !this.#isUnknown(order)) throw new OrderNotCancellable(heldAs(order));
    checkLease(now, lease);
    const decision = stepped(now, this.context, id, (posting) => this.#request(posting));
    return { ...decision, result: { record: decision.result, replayed }, requests };
  }

  /** True of an order sent over the network when it is not known whether the venue has it. */
  #isUnknown({ state, intent }: Order): boolean {
    return state === 'unknown' && !this.venues.isLocal(intent);
  }

  #request(posting: Posting): void {
    const arrivesAt = this.venues.exchangeOf(posting.order.intent)?.local?.arrival(posting.at) ?? null;
    posting.record({ type: 'cancel_requested', ...(arrivesAt !== null && { arrivesAt }) });
  }
}

function conclude(posting: Posting, answer: CancelResult, report: OrderStatusReport): void {
  if (posting.order.state === 'unknown' && !posting.isLocal) recordArrival(posting, answer, report);
  else recordExecutions(posting, report);
  recordCancelResult(posting, answer);
}

/** A delay says more than a partial fill: it passes. */
const heldAs = (order: Order): OrderStatus => (order.state === 'delayed' ? 'delayed' : statusOf(order));

/** A cancellation by the venue proves that the order had arrived; one that is found only now is still to be cancelled. */
function recordArrival(posting: Posting, answer: CancelResult, report: OrderStatusReport): void {
  const { venueOrderId } = posting.order;
  if (answer.kind === 'cancelled' && report.kind !== 'accepted' && venueOrderId !== null) {
    posting.record({ type: 'accepted', venueOrderId, delayed: false });
  } else recordStatusReport(posting, report);
  if (posting.order.state === 'open') posting.record({ type: 'cancel_requested' });
}
