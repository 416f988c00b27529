import type { Exchange, OrderStatusReport } from '../../../../ports/exchange.js';
import type { ExternalOrders } from '../../../../ports/external-orders.js';
import type { Ledger } from '../../../../ports/ledger.js';
import type { MassStatus, NamedOrder, VenueAccount } from '../../../../ports/venue-adapter.js';
import type { OrderId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import { isWorking } from '../../../order/lifecycle.js';
import type { KnownPrices } from '../../../order/market-at-order.js';
import type { Order } from '../../../order/order.js';
import { isUnfinished } from '../../../order/order.js';
import { contradicts, Findings, type Reconciliation } from '../../../order/reconciliation.js';
import {
  answerOf,
  contradictionOf,
  isNews,
  recordCancelResult,
  recordStatusReport,
  withArrival,
} from '../../../posting/outcome.js';
import { type Step, takeStep } from '../../../posting/posting.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import { HaltOnContradiction } from './halt-on-contradiction.js';

const AT_ONCE = 10;
const MOST_IDS = 500;

/**
 * Compares the venue's view of the wallet with the record, and updates the record: unknown orders, fills, confirmations,
 * undone trades, ends. Nothing is concluded from what is missing. May be repeated and run twice at once: a repetition
 * changes nothing.
 */
export class ReconcileOrders {
  readonly #halt: HaltOnContradiction;
  /** Orders that contradicted the venue at the last sweep, checked again until they do not. */
  readonly #disputed: Order[] = [];

  constructor(
    private readonly ledger: Ledger,
    private readonly externals: ExternalOrders,
    private readonly exchange: Exchange & VenueAccount,
    private readonly context: OrderContext & { readonly followed?: KnownPrices },
  ) {
    this.#halt = new HaltOnContradiction(ledger, context);
  }

  /** Checks everything since about that moment, and every order that still works or has unconfirmed fills. */
  async execute(since: Date): Promise<Reconciliation> {
    const began = this.context.clock.now();
    const found = new Findings();
    const massStatus = await this.exchange.massStatus(since);
    if (massStatus.kind === 'unknown') return found.result(massStatus.reason, false);
    const named = await this.#named(massStatus, found);
    const resting = new Set(massStatus.named.filter((one) => one.resting).map(({ venueOrderId }) => venueOrderId));
    await this.#each(await this.#withOutstanding(named), found, async (order) => {
      const current = await this.#hold(order, massStatus, found);
      // Orders are read before trades: an order that ended by a trade of this answer may still rest in it without a
      // contradiction.
      const hasEnded = !isWorking(current.state) && current.seq === order.seq;
      const isStale = order.updatedAt < began && resting.has(order.venueOrderId ?? '');
      if (isStale && (current.state === 'cancel_pending' || hasEnded)) await this.#end(current, found);
    });
    return found.result(massStatus.unread);
  }

  /** Applies one message of the venue, which may come before its answer to an order. */
  async take(massStatus: MassStatus): Promise<Reconciliation> {
    const found = new Findings();
    const named = await this.#named(massStatus, found);
    const reportOf: MassStatus['reportOf'] = async (order) =>
      withArrival(await massStatus.reportOf(order), order, this.context.followed);
    await this.#each(named.values(), found, (order) => this.#hold(order, { reportOf }, found));
    return found.result(massStatus.unread);
  }

  /** Our orders among those that are named; the others are recorded as external. */
  async #named(massStatus: MassStatus, found: Findings): Promise<Map<OrderId, Order>> {
    const names = new Map<string, NamedOrder>(massStatus.named.map((one) => [one.venueOrderId, one]));
    const ids = [...names.keys()];
    const known: Order[] = [];
    for (let at = 0; at < ids.length; at += MOST_IDS)
      known.push(...(await this.ledger.listByVenueOrderId(this.exchange.venue, ids.slice(at, at + MOST_IDS))));
    for (const { venueOrderId } of known) names.delete(venueOrderId ?? '');
    const origin = { venue: this.exchange.venue, firstSeen: this.context.clock.now() };
    const strangers = [...names.values()].map((one) => ({ ...one, ...origin }));
    if (strangers.length > 0) found.external = await this.externals.recordExternalOrders(strangers);
    return new Map(known.map((order) => [order.id, order]));
  }

  async #withOutstanding(known: ReadonlyMap<OrderId, Order>): Promise<Iterable<Order>> {
    const own = { paper: false, venue: this.exchange.venue };
    const disputed = [...this.#disputed];
    const all = new Map([...disputed.map((order) => [order.id, order] as const), ...known]);
    for (const filter of [{ working: true }, { unsettled: true }] as const) {
      const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ ...own, ...filter }, page);
      for await (const orders of slices(read, (order) => order.id)) {
        for (const order of orders) if (isUnfinished(order) && !all.has(order.id)) all.set(order.id, order);
      }
    }
    this.#disputed.splice(0, disputed.length);
    return all.values();
  }

  async #each(orders: Iterable<Order>, found: Findings, look: (order: Order) => Promise<unknown>): Promise<void> {
    const waiting = [...orders];
    const one = async (order: Order) => {
      try {
        await look(order);
      } catch (error) {
        if (!contradicts(error)) found.failures.push({ order: order.id, error });
        else await this.#dispute(order, error.message, found);
      }
    };
    while (waiting.length > 0) await Promise.all(waiting.splice(0, AT_ONCE).map(one));
  }

  async #hold(order: Order, massStatus: Pick<MassStatus, 'reportOf'>, found: Findings): Promise<Order> {
    const report: OrderStatusReport = await massStatus.reportOf(order);
    const message = contradictionOf(order, report);
    if (message !== null) await this.#dispute(order, message, found);
    // A report of `unknown` says nothing of an order that another process may be sending.
    if (report.kind === 'unknown' || !isNews(order, report, { isLocal: false })) return order;
    if (message === null && order.state === 'rejected')
      found.contradictions.push({ orderId: order.id, message: 'it was given up, but the venue shows it' });
    const current = await this.#record(order, (posting) => recordStatusReport(posting, report));
    if (current.seq > order.seq) found.changed += 1;
    return current;
  }

  async #dispute(order: Order, message: string, found: Findings): Promise<void> {
    found.contradictions.push({ orderId: order.id, message });
    this.#disputed.push(order);
    await this.#halt.execute(order, message);
  }

  /** An order that should have ended rests at the venue: its cancellation is sent, and may be sent again. */
  async #end(order: Order, found: Findings): Promise<void> {
    const answer = await answerOf(this.exchange, () => this.exchange.cancel(order));
    if (order.state === 'cancel_pending') await this.#record(order, (posting) => recordCancelResult(posting, answer));
    else found.contradictions.push({ orderId: order.id, message: `it is ${order.state}, but rests at the venue` });
  }

  #record(order: Order, step: Step): Promise<Order> {
    return takeStep(this.ledger, this.context, order, step);
  }
}
