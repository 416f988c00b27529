import type { Exchange, Sighting } from '../../ports/exchange.js';
import type { ExternalOrder, ExternalOrders } from '../../ports/external-orders.js';
import type { Ledger } from '../../ports/ledger.js';
import type { NamedOrder, Survey, VenueAccount } from '../../ports/venue-account.js';
import { InvariantBroken, TransitionForbidden } from '../errors.js';
import type { OrderId } from '../ids.js';
import { type Page, slices } from '../ledger/query.js';
import { scopeOf } from '../ledger/scope.js';
import { isUnfinished, isWorking } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { answerOf, contradictionOf, isNews, recordCancellation, recordSighting } from '../order/outcome.js';
import { type Desk, Posting } from '../order/posting.js';
import type { LeftOut } from './resume-orders.js';

/** What holding the venue against the record came to. */
export interface Reconciliation {
  /** False when the venue did not tell everything, or an order could not be held against it: to be done again soon. */
  readonly complete: boolean;
  /** How many orders were brought up to date. */
  readonly changed: number;
  /** Orders of the wallet that nobody placed here and that were not known yet. */
  readonly external: readonly ExternalOrder[];
  /** What cannot be true on both sides: for a person. */
  readonly contradictions: readonly { readonly orderId: OrderId; readonly message: string }[];
  readonly failures: readonly LeftOut[];
}

interface Findings {
  changed: number;
  external: readonly ExternalOrder[];
  readonly contradictions: { orderId: OrderId; message: string }[];
  readonly failures: LeftOut[];
}

const AT_ONCE = 10;
const MOST_IDS = 500;

/**
 * Holds what the venue shows of the wallet against the record, and brings the record up to it: orders whose outcome nobody
 * knew, fills, confirmations, trades that were undone, ends. Nothing is concluded from what is missing. May be repeated and
 * run twice at once: the same again changes nothing.
 */
export class ReconcileOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly externals: ExternalOrders,
    private readonly venue: Exchange & VenueAccount,
    private readonly desk: Desk,
  ) {}

  /** Looks at everything since about that moment, and at every order that still works or has unconfirmed fills. */
  async execute(since: Date): Promise<Reconciliation> {
    const began = this.desk.clock.now();
    const found: Findings = { changed: 0, external: [], contradictions: [], failures: [] };
    const survey = await this.venue.survey(since);
    if (survey.kind === 'unknown') return { ...found, complete: false };
    const named = await this.#named(survey, found);
    const resting = new Set(survey.named.filter((one) => one.resting).map(({ venueOrderId }) => venueOrderId));
    await this.#each(await this.#withOutstanding(named), found, async (order) => {
      const current = await this.#hold(order, survey, found);
      const isStale = order.updatedAt < began && resting.has(order.venueOrderId ?? '');
      if (isStale && (current.state === 'cancel_pending' || !isWorking(current.state))) await this.#end(current, found);
    });
    return { ...found, complete: found.failures.length === 0 };
  }

  /** Takes in what one message of the venue shows. */
  async take(survey: Survey): Promise<Reconciliation> {
    const found: Findings = { changed: 0, external: [], contradictions: [], failures: [] };
    const named = await this.#named(survey, found);
    await this.#each(named.values(), found, (order) => this.#hold(order, survey, found));
    return { ...found, complete: found.failures.length === 0 };
  }

  /** The orders of ours among those that are named; the others are put down as external. */
  async #named(survey: Survey, found: Findings): Promise<Map<OrderId, Order>> {
    const names = new Map<string, NamedOrder>(survey.named.map((one) => [one.venueOrderId, one]));
    const ids = [...names.keys()];
    const known: Order[] = [];
    for (let at = 0; at < ids.length; at += MOST_IDS) {
      known.push(...(await this.ledger.listByVenueOrderId(ids.slice(at, at + MOST_IDS))));
    }
    for (const { venueOrderId } of known) names.delete(venueOrderId ?? '');
    const [venue, firstSeen] = [this.venue.venue, this.desk.clock.now()];
    const strangers = [...names.values()].map((one) => ({ ...one, venue, firstSeen }));
    if (strangers.length > 0) found.external = await this.externals.recordExternalOrders(strangers);
    return new Map(known.map((order) => [order.id, order]));
  }

  async #withOutstanding(known: ReadonlyMap<OrderId, Order>): Promise<Iterable<Order>> {
    const all = new Map(known);
    for (const filter of [{ working: true }, { unsettled: true }] as const) {
      const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: false, ...filter }, page);
      for await (const orders of slices(read, (order) => order.id)) {
        for (const order of orders) if (isUnfinished(order) && !all.has(order.id)) all.set(order.id, order);
      }
    }
    return all.values();
  }

  async #each(orders: Iterable<Order>, found: Findings, look: (order: Order) => Promise<unknown>): Promise<void> {
    const waiting = [...orders];
    const one = async (order: Order) => {
      try {
        await look(order);
      } catch (error) {
        const isContradiction = error instanceof InvariantBroken || error instanceof TransitionForbidden;
        if (isContradiction) found.contradictions.push({ orderId: order.id, message: error.message });
        else found.failures.push({ order: order.id, error });
      }
    };
    while (waiting.length > 0) await Promise.all(waiting.splice(0, AT_ONCE).map(one));
  }

  async #hold(order: Order, survey: Survey, found: Findings): Promise<Order> {
    const sighting: Sighting = await survey.sightingOf(order);
    const message = contradictionOf(order, sighting);
    if (message !== null) found.contradictions.push({ orderId: order.id, message });
    if (!isNews(order, sighting)) return order;
    const current = await this.#record(order, (posting) => recordSighting(posting, sighting));
    if (current.seq > order.seq) found.changed += 1;
    return current;
  }

  /** An order that should be gone rests at the venue: its cancellation is sent, and may be sent again. */
  async #end(order: Order, found: Findings): Promise<void> {
    const answer = await answerOf(this.venue, (v) => v.cancel(order));
    if (order.state === 'cancel_pending') await this.#record(order, (posting) => recordCancellation(posting, answer));
    else found.contradictions.push({ orderId: order.id, message: `it is ${order.state}, and rests at the exchange` });
  }

  #record(order: Order, step: (posting: Posting) => void): Promise<Order> {
    return this.ledger.write(scopeOf(order), (now) => {
      const posting = Posting.resume(now, this.desk, now.order(order.id) ?? order);
      step(posting);
      return posting.decision(posting.order);
    });
  }
}
