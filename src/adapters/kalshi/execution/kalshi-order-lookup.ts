import type { OrderState } from '../../../core/order/lifecycle.js';
import type { Order } from '../../../core/order/order.js';
import type { CancelResult, OrderStatusReport, Unknown } from '../../../ports/exchange.js';
import type { Clock, Stopwatch } from '../../../ports/system.js';
import { LookupHistory } from '../../venue/lookup-history.js';
import { type Alarm, rejected, unknown } from '../../venue/order-results.js';
import type { KalshiFill, KalshiOrder } from '../http/account-records.js';
import type { KalshiClient } from '../http/kalshi-client.js';
import type { KalshiEnvironment } from '../venue-name.js';
import { type KalshiEnvelope, kalshiEnvelopeIn } from './envelope.js';
import { isOtherOrder, shownAs } from './order-evidence.js';

/** The dependencies of order lookups. */
export interface KalshiLookupOptions {
  readonly client: KalshiClient;
  readonly clock: Clock;
  readonly stopwatch: Stopwatch;
  readonly environment: KalshiEnvironment;
  readonly alarm: Alarm;
}

/** How far back an order is looked for before it was put on record: the venue's clock and ours may differ. */
const BEFORE_MS = 600_000;
/**
 * So long after its last copy may have been sent, no request with its headers is accepted any more: the window of the clock is some ten
 * seconds (`kalshi.md` 2.2, 11.2).
 */
const CLOCK_WINDOW_MS = 120_000;
/** States in which it is not known whether the order arrived. */
const UNPROVED: ReadonlySet<OrderState> = new Set(['submitting', 'unknown']);
const NO_TRACE = 'The venue shows no trace of the order.';
const OTHER_ENVIRONMENT = 'The order belongs to another environment of the venue, which this key cannot see.';

/** What the venue's lists show of one order. */
interface Found {
  readonly shown: KalshiOrder | undefined;
  readonly fills: readonly KalshiFill[];
  /** True where the lists were read to their end, and every row of them. */
  readonly isWhole: boolean;
}

/** Looks orders up by their identity: there is no call for that, so the orders of the market are read and compared. */
export class KalshiOrderLookup {
  readonly #options: KalshiLookupOptions;
  readonly #history: LookupHistory;
  /** Orders of which the venue said that a copy had arrived. */
  readonly #arrived = new Set<string>();

  constructor(options: KalshiLookupOptions) {
    this.#options = options;
    this.#history = new LookupHistory(options.stopwatch);
  }

  /** The venue refused a copy of this order because an earlier one had arrived. */
  noteArrived(clientOrderId: string): void {
    this.#arrived.add(clientOrderId);
  }

  /** What orders and fills together show of an order. */
  async find(order: Order): Promise<OrderStatusReport> {
    const own = this.#own(order);
    if ('kind' in own) return own;
    const found = await this.#read(order, own);
    if ('kind' in found) return found;
    const { shown, fills, isWhole } = found;
    if (shown === undefined) return this.#missing(order, own, isWhole);
    this.#history.forget(own.clientOrderId);
    if (isOtherOrder(order, own, shown)) {
      this.#options.alarm('another order under our identity', own.clientOrderId);
      return unknown('The venue shows another order under the identity of this one.');
    }
    if (shown.status === 'unknown') this.#options.alarm('an order in an undocumented state', own.clientOrderId);
    return shownAs(own, shown, fills);
  }

  /**
   * The venue's 404 is the same for an order that was cancelled, was executed, or never was: it is looked at (K4). An order that still reads
   * as resting is a stale read, and is cancelled again later.
   */
  async cancel(order: Order): Promise<CancelResult> {
    const own = this.#own(order);
    if ('kind' in own) return own;
    const reference = order.venueReference ?? (await this.#referenceOf(order, own));
    if (typeof reference !== 'string') return reference;
    const answer = await this.#options.client.cancel(reference, own.ticker);
    if (answer.kind === 'cancelled') {
      if (answer.orderId === reference) return { kind: 'cancelled' };
      this.#options.alarm('a cancellation was answered for another order', own.clientOrderId);
      return unknown('The venue answered for another order.');
    }
    if (answer.kind === 'no_answer') return unknown(`The venue did not answer the cancellation (${answer.reason}).`);
    const report = await this.find(order);
    if (report.kind !== 'accepted') return unknown(NO_TRACE);
    if (report.rest === 'cancelled') return { kind: 'cancelled' };
    if (report.rest === 'none')
      return { kind: 'refused', reason: 'The order was executed before it could be cancelled.' };
    return unknown('The venue neither cancels the order nor shows its end yet.');
  }

  #own(order: Order): KalshiEnvelope | Unknown {
    const own = kalshiEnvelopeIn(order);
    if (own === null) return unknown('The recorded identity of the order cannot be read.');
    return own.environment === this.#options.environment ? own : unknown(OTHER_ENVIRONMENT);
  }

  /** The venue's own name of an order whose acceptance was not heard. */
  async #referenceOf(order: Order, own: KalshiEnvelope): Promise<string | CancelResult> {
    const found = await this.#read(order, own);
    if ('kind' in found) return found;
    const { shown } = found;
    if (shown === undefined) return unknown('The venue does not show the order, and cancels by its own name only.');
    return isOtherOrder(order, own, shown) ? unknown('The venue shows another order.') : shown.orderId;
  }

  /** The live list, then the past one: an order that ended two weeks ago has left the first (K24). */
  async #read(order: Order, own: KalshiEnvelope): Promise<Found | Unknown> {
    const { client } = this.#options;
    const since = new Date(order.placedAt.getTime() - BEFORE_MS);
    const isOurs = ({ clientOrderId }: KalshiOrder) => clientOrderId === own.clientOrderId;
    const live = await client.orders({ ticker: own.ticker, since });
    if (live.kind === 'no_answer') return unknown(`The venue did not return its orders (${live.reason}).`);
    let shown = live.items.find(isOurs);
    let isWhole = live.complete;
    if (shown === undefined) {
      const past = await client.pastOrders(own.ticker);
      if (past.kind === 'no_answer') return unknown(`The venue did not return its past orders (${past.reason}).`);
      shown = past.items.find(isOurs);
      isWhole &&= past.complete;
    }
    if (shown === undefined) return { shown, fills: [], isWhole };
    const fills = await client.fills({ orderId: shown.orderId });
    if (fills.kind === 'no_answer') return unknown(`The venue did not return its fills (${fills.reason}).`);
    if (fills.items.length > 0 || shown.filled === 0n) return { shown, fills: fills.items, isWhole };
    const past = await client.pastFills(own.ticker);
    if (past.kind === 'no_answer') return unknown(`The venue did not return its past fills (${past.reason}).`);
    return { shown, fills: past.items, isWhole };
  }

  /**
   * That nothing is shown proves that nothing arrived only once nothing can arrive any more, the venue's reads are newer than that, and
   * enough of them, over long enough, show the same (`kalshi.md` 11.2).
   */
  async #missing(order: Order, own: KalshiEnvelope, isWhole: boolean): Promise<OrderStatusReport> {
    if (!UNPROVED.has(order.state)) return unknown(NO_TRACE);
    if (!isWhole) return unknown('The venue did not return all of its orders.');
    const shutAt = own.sendBy.getTime() + CLOCK_WINDOW_MS;
    const asOf = await this.#options.client.currentAsOf();
    if (this.#options.clock.now().getTime() <= shutAt || asOf === null || asOf.getTime() <= shutAt)
      return unknown(NO_TRACE);
    if (!this.#history.note(own.clientOrderId, 'nothing')) return unknown(NO_TRACE);
    if (!this.#arrived.has(own.clientOrderId)) return { kind: 'absent' };
    // A killed order leaves no row, though its identity is used.
    if (order.intent.timeInForce !== 'FOK') return unknown('The venue has the order and does not show it.');
    return rejected('fok_not_filled', 'The order could not be filled immediately and in full.');
  }
}
