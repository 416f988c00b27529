import type { Digest } from '../../ports/system.js';
import type { AccountId, OrderId } from '../ids.js';
import type { Decision, Snapshot } from '../ledger/decision.js';
import { applyEvent } from '../order/apply.js';
import { chainText } from '../order/change-codec.js';
import type { OrderChange, OrderEvent } from '../order/event.js';
import { type Execution, type Fill, fillOf, NO_BASIS } from '../order/fill.js';
import type { CountedBet, Intent } from '../order/intent.js';
import { moneyOf, type Order, type Refusal } from '../order/order.js';
import { Books } from './books.js';
import type { OrderContext } from './order-context.js';

/** What `Posting.record` accepts: all changes but the request itself, and fills, which are priced first. */
export type StepChange = Exclude<OrderChange, { type: 'requested' | 'fill' }>;

/** Takes an order through its next events, and books the money of each as it goes: the one way to change an order. */
export class Posting {
  #order: Order;
  readonly #events: OrderEvent[] = [];
  private readonly digest: Digest;
  /** True where an exchange in this process decides the order. */
  readonly isLocal: boolean;

  private constructor(
    order: Order,
    readonly books: Books,
    private moment: Date,
    { digest, venues }: Pick<OrderContext, 'digest' | 'venues'>,
  ) {
    this.#order = order;
    this.digest = digest;
    this.isLocal = venues.isLocal(order.intent);
  }

  /** Puts a new order on record, as of `at`. Nothing is reserved until `reserve` or a denial. */
  static begin(
    now: Snapshot,
    context: OrderContext,
    id: OrderId,
    account: AccountId,
    intent: Intent,
    at = context.clock.now(),
  ): Posting {
    const event = requested(id, account, intent, at, context.digest);
    const posting = new Posting(
      applyEvent(undefined, event),
      new Books(now, account, intent, context, at),
      at,
      context,
    );
    posting.#events.push(event);
    return posting;
  }

  /** Goes on with an order that is on record. */
  static resume(now: Snapshot, context: OrderContext, order: Order): Posting {
    const at = context.clock.now();
    return new Posting(order, new Books(now, order.account, order.intent, context, at), at, context);
  }

  /** Dates what comes next as the venue does, but never before what is on record already. */
  happened(at: Date): void {
    const { placedAt, updatedAt } = this.#order;
    // A clock that was set back may have dated its last change before the order.
    const known = updatedAt < placedAt ? placedAt : updatedAt;
    this.moment = at < known ? known : at;
  }

  /** When what comes next happens. */
  get at(): Date {
    return this.moment;
  }

  get order(): Order {
    return this.#order;
  }

  /** Reserves the money or shares of an order that was just begun. A bet of a strategy says on record how it was counted. */
  reserve(bet: CountedBet | null = null): void {
    if (bet !== null) {
      const { id, account, intent, placedAt } = this.#order;
      const event = requested(id, account, { ...intent, bet }, placedAt, this.digest);
      this.#order = applyEvent(undefined, event);
      this.#events.splice(0, 1, event);
    }
    this.books.move(undefined, this.#order, null, null);
  }

  /** Refuses an order for which nothing was reserved yet: it goes on record and moves nothing. */
  deny(refusal: Refusal): void {
    this.#apply({ type: 'denied', refusal });
  }

  /** @throws TransitionForbidden, InvariantBroken */
  record(change: StepChange): void {
    const before = this.#order;
    const went = change.type === 'fill_voided' ? fillNamed(before, change.tradeId) : null;
    this.#apply(change);
    this.books.move(before, this.#order, null, went);
  }

  /** Records an execution once; the same trade id again changes nothing. */
  fill(execution: Execution): void {
    const before = this.#order;
    if (before.fills.some((fill) => fill.tradeId === execution.tradeId)) return;
    const selling = before.intent.side === 'SELL';
    const basis = selling ? this.books.basisOfSale(execution.shares) : NO_BASIS;
    const fill = fillOf(execution, moneyOf(before, execution), basis);
    this.#apply({ type: 'fill', fill });
    this.books.move(before, this.#order, fill, null);
  }

  /** All changes, to be stored together. */
  decision<T>(result: T): Decision<T> {
    if (this.#events.length === 0) return { result };
    return { result, orders: [this.#order], events: this.#events, ...this.books.changes() };
  }

  #apply(change: OrderChange): void {
    const { id: orderId, account, seq, eventHash } = this.#order;
    const event = chained(eventHash, { orderId, account, seq: seq + 1, at: this.moment, change }, this.digest);
    this.#order = applyEvent(this.#order, event);
    this.#events.push(event);
  }
}

const requested = (orderId: OrderId, account: AccountId, intent: Intent, at: Date, digest: Digest): OrderEvent =>
  chained('', { orderId, account, seq: 1, at, change: { type: 'requested', intent } }, digest);

function chained(previous: string, event: Omit<OrderEvent, 'hash'>, digest: Digest): OrderEvent {
  return { ...event, hash: digest(chainText(previous, event)) };
}

function fillNamed(order: Order, tradeId: string): Fill | null {
  return order.fills.find((fill) => fill.tradeId === tradeId) ?? null;
}
