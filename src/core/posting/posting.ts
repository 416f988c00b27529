import type { Ledger } from '../../ports/ledger.js';
import type { Digest } from '../../ports/system.js';
import { halted } from '../account/account.js';
import { OrderNotFound } from '../errors.js';
import type { AccountId, OrderId } from '../ids.js';
import type { Decision, Scope, Snapshot } from '../ledger/decision.js';
import { jobAfter, leased, mayAct, scopeOf } from '../ledger/decision.js';
import type { Job } from '../ledger/job.js';
import type { LeaseInHand } from '../ledger/lease.js';
import { applyEvent } from '../order/apply.js';
import { chainText, type OrderChange, type OrderEvent } from '../order/event.js';
import type { CountedOrder, Intent } from '../order/order.js';
import { type Execution, type Fill, fillOf, moneyOf, NO_BASIS, type Order, type Refusal } from '../order/order.js';
import { Books } from './books.js';
import type { OrderContext } from './trading-stop.js';
import { watched } from './trading-watch.js';

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
    const order = applyEvent(undefined, requested(id, account, intent, at, UNHASHED));
    return new Posting(order, new Books(now, account, intent, context, at), at, context);
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

  /** Reserves the money or shares of an order that was just begun. A counted order of a strategy says on record how. */
  reserve(counted: CountedOrder | null = null): void {
    this.#request(counted === null ? this.#order.intent : { ...this.#order.intent, counted });
    this.books.move(undefined, this.#order, null, null);
  }

  /** Refuses an order for which nothing was reserved yet: it goes on record and moves nothing. */
  deny(refusal: Refusal): void {
    this.#request(this.#order.intent);
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
    const { balances = [], positions = [], exposures = [], entries = [] } = this.books.changes();
    return { result, orders: [this.#order], events: this.#events, balances, positions, exposures, entries };
  }

  /** Puts a new order on record as it is asked for: its event is hashed once that is fixed. */
  #request(intent: Intent): void {
    const { id, account, placedAt } = this.#order;
    const event = requested(id, account, intent, placedAt, this.digest);
    this.#order = applyEvent(undefined, event);
    this.#events.push(event);
  }

  #apply(change: OrderChange): void {
    const { id: orderId, account, seq, eventHash } = this.#order;
    const event = chained(eventHash, { orderId, account, seq: seq + 1, at: this.moment, change }, this.digest);
    this.#order = applyEvent(this.#order, event);
    this.#events.push(event);
  }
}

/** For what may still be refused without a record. */
const UNHASHED: Digest = () => '';

const requested = (orderId: OrderId, account: AccountId, intent: Intent, at: Date, digest: Digest): OrderEvent =>
  chained('', { orderId, account, seq: 1, at, change: { type: 'requested', intent } }, digest);

function chained(previous: string, event: Omit<OrderEvent, 'hash'>, digest: Digest): OrderEvent {
  const { orderId, account, seq, at, change } = event;
  return { orderId, account, seq, at, change, hash: digest(chainText(previous, event)) };
}

function fillNamed(order: Order, tradeId: string): Fill | null {
  return order.fills.find((fill) => fill.tradeId === tradeId) ?? null;
}

/** The next step of an order, given what is on record; a step that records nothing stores nothing. */
export type Step = (posting: Posting, now: Snapshot) => void;

/** What else is stored with a step, or stands in its way. */
export interface StepTerms {
  /** Once this lease was lost nothing is recorded: the next owner goes on. */
  readonly lease?: LeaseInHand;
  /** The job of the order, which is updated with it. */
  readonly job?: Job | null;
  /** Why no further order of the account should be sent. */
  readonly halt?: Refusal | undefined;
  /** What the step reads beside all that it may touch. */
  readonly also?: Partial<Scope> | undefined;
}

/** Takes an order from where it is on record: the one way to change it. @throws OrderNotFound, and what the step throws */
export function stepped(now: Snapshot, context: OrderContext, id: OrderId, step: Step): Decision<Order> {
  const before = orderOnRecord(now, id);
  const posting = Posting.resume(now, context, before);
  step(posting, now);
  const decision = posting.decision(posting.order);
  const account = watched(now.account, before, posting.order, decision.events ?? [], context.wallClock.now());
  return account === null ? decision : { ...decision, accounts: [account] };
}

/** Does the same in a write of its own, and returns the order as it is then. */
export function takeStep(
  ledger: Pick<Ledger, 'write'>,
  context: OrderContext,
  order: Order,
  step: Step,
  { lease, job = null, halt, also }: StepTerms = {},
): Promise<Order> {
  const jobs = job === null ? {} : { jobs: [order.id] };
  return ledger.write({ ...scopeOf(order), ...leased(lease), ...jobs, ...also }, (now) => {
    const decision = stepped(now, context, order.id, (posting) => {
      if (mayAct(now, lease)) step(posting, now);
    });
    const [account = now.account] = decision.accounts ?? [];
    const accounts = halt === undefined ? {} : { accounts: [halted(account, halt, context.clock.now())] };
    return { ...decision, ...jobAfter(now, job, decision.result), ...accounts };
  });
}

/** The order as it is on record. @throws OrderNotFound */
export function orderOnRecord(now: Snapshot, id: OrderId): Order {
  const order = now.order(id);
  if (order === undefined) throw new OrderNotFound();
  return order;
}
