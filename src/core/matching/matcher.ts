import type { Report } from '../../ports/exchange.js';
import type { OrderId } from '../ids.js';
import type { BookView, QuotedPrices } from '../market/book.js';
import { EVIDENCE, type Evidence, hasFills, type MarketEvent } from '../market/event.js';
import { type Market, type OutcomeSide, withGrid } from '../market/market.js';
import { CANCELLED_ON_REQUEST } from '../order/lifecycle.js';
import type { Order, Refusal } from '../order/order.js';
import { GameStart } from './game-start.js';
import { fillModel, GAME_STARTED, MARKET_CLOSED, MARKET_RESUMED } from './model.js';
import { type BookFill, SimulatedBook } from './simulated-book.js';
import type { TakenBefore } from './walk.js';
import { leftAfter, type Take, takenShares } from './walk.js';
import {
  arrivalOf,
  arrivalRejection,
  fakKilled,
  fokKilled,
  hasMarketEnded,
  rejection,
  STALE,
  WorkingOrder,
} from './working-order.js';

/**
 * Matches orders against the book of one market, as the venue would have: pure and without a clock, so that the same
 * events and orders give the same fills.
 */
export class Matcher {
  readonly #simulated: SimulatedBook;
  readonly #timers = new TimerQueue();
  readonly #workingOrders = new Map<OrderId, WorkingOrder>();
  readonly #held = new Set<WorkingOrder>();
  readonly #outbox = new Outbox();
  readonly #gameStart: GameStart;
  readonly #isMatched: boolean;
  #now: number;
  /** When a due entry was last processed: nothing that comes later can be processed before it. */
  #latest = Number.NEGATIVE_INFINITY;

  /** `latencyMs` is how long an order or a cancellation takes to the venue, `evidence` what the events prove. */
  constructor(
    private market: Market,
    private readonly latencyMs: number,
    now: Date,
    private readonly evidence: Evidence = EVIDENCE[0],
  ) {
    this.#simulated = new SimulatedBook(market.lot, evidence);
    this.#isMatched = hasFills(evidence);
    this.#now = now.getTime();
    this.#gameStart = new GameStart(market, now);
  }

  /** False until the first book, after a gap until the next one, and for ever where nothing can be filled. */
  get fresh(): boolean {
    return this.#isMatched && this.#simulated.fresh;
  }

  /** True while the book is empty because the venue emptied it, and no snapshot has come since. */
  get wiped(): boolean {
    return this.#simulated.wiped;
  }

  /** True while some order is on its way, held, or resting, or something that was taken is still displayed. */
  get busy(): boolean {
    return this.#workingOrders.size > 0 || this.#simulated.hasTaken;
  }

  /** When something is due without any event. */
  get next(): Date | null {
    const due = Math.min(this.#timers.next, this.#gameStart.due(this.market) ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(due) ? new Date(due) : null;
  }

  /** True once a whole book has come. */
  get begun(): boolean {
    return this.#simulated.begun;
  }

  /**
   * Takes up what accounts took here before a restart. Call it before the first book. What was taken before the venue
   * emptied its book for a game is gone with that.
   */
  recall(taken: readonly TakenBefore[]): void {
    this.#simulated.recall(taken.filter(({ at }) => !this.#gameStart.wiped(this.market, at)));
  }

  view(): BookView {
    return this.#simulated.view(new Date(this.#now));
  }

  /** The prices of an outcome by the book as it is now; null without one. */
  quoted(outcome: OutcomeSide): QuotedPrices | null {
    return this.fresh ? this.#simulated.quoted(outcome) : null;
  }

  /** What happened since the last call. */
  drain(): readonly ReportBatch[] {
    return this.#outbox.drain();
  }

  /** Lets an order arrive when it is to arrive, or at the moment at which it is known to have arrived. */
  enter(order: Order, arrived = arrivalOf(order, this.latencyMs)): void {
    if (this.#workingOrders.has(order.id)) return;
    this.#send({ type: 'arrive', working: this.#admit(order) }, arrived.getTime());
  }

  /** Puts an order that rested before a restart back, behind everyone; what ended or crossed it meanwhile does so now. */
  rest(order: Order): void {
    if (this.#workingOrders.has(order.id)) return;
    const working = this.#admit(order);
    this.#join(working);
    if (this.#gameStart.wiped(this.market, order.placedAt)) this.#end(working, cancelled(GAME_STARTED));
    else if (hasMarketEnded(this.market)) this.#endResting(MARKET_CLOSED);
    this.#run(this.#now, true);
    // A cancellation that was sent before the restart came before what the book shows now.
    if (this.fresh && order.state !== 'cancel_pending') this.#filled(this.#simulated.look(this.#now));
  }

  /** Forgets an order without a report. */
  drop(orderId: OrderId): void {
    const working = this.#workingOrders.get(orderId);
    if (working !== undefined) this.#forget(working);
  }

  /** Sends a cancellation off at a moment, or, where it is known to have arrived, lets it arrive then. */
  cancel(orderId: OrderId, sent: Date, arrived?: Date): void {
    this.#send({ type: 'cancel', orderId }, arrived?.getTime() ?? sent.getTime() + this.latencyMs);
  }

  /** Advances time to this moment, and does what is due by then. */
  advance(to: Date): void {
    this.#run(to.getTime(), true);
  }

  /** Applies a market event, after all that was due before it. */
  apply(event: MarketEvent): void {
    this.#run(event.at.getTime(), false);
    this.#gameStart.before(this.fresh ? this.#simulated.book : null, this.#now);
    if (event.type === 'gap') this.#simulated.lose();
    else if (event.type === 'book')
      this.#bookChanged('book', this.#simulated.replace(event.bids, event.asks, this.#now));
    else if (event.type === 'market') this.#renew(event.market);
    else if (event.type === 'tick') this.market = withGrid(this.market, event);
    else if (!this.fresh) return;
    else if (event.type === 'levels') this.#bookChanged('levels', this.#simulated.change(event.changes, this.#now));
    else if (event.type === 'trade')
      this.#filled(this.#simulated.trade(event.taker, event.price, event.shares, this.#now));
  }

  #send(due: Timer, at: number): void {
    this.#timers.put(Math.max(at, this.#now, this.#latest + 1), due);
  }

  #run(to: number, included: boolean): void {
    for (;;) {
      const start = this.#gameStart.due(this.market);
      const wipes = start !== undefined && start <= to;
      const due = this.#timers.take(wipes ? start : to, included && !wipes);
      this.#now = Math.max(this.#now, due?.at ?? (wipes ? start : to));
      if (due !== undefined) this.#happen(due.at, due.due);
      else if (wipes) this.#wipe(start);
      else return;
    }
  }

  #happen(at: number, due: Timer): void {
    this.#latest = at;
    if (due.type === 'cancel') this.#cancelled(due.orderId);
    else if (this.#workingOrders.get(due.working.order.id) !== due.working) return;
    else if (due.type === 'arrive') this.#arrive(due.working);
    else if (due.type === 'release') this.#release(due.working);
    else this.#end(due.working, { type: 'expired', reason: 'expires_at has come' });
  }

  /** True without a book that can be trusted, unless the market has ended: that is known without one. */
  get #isBlind(): boolean {
    return !this.fresh && !hasMarketEnded(this.market);
  }

  #arrive(working: WorkingOrder): void {
    const delay = this.#gameStart.inPlay(this.market, this.#now) ? (this.market.terms?.delaySeconds ?? 0) : 0;
    const matches = this.fresh && this.#simulated.crosses(working);
    const refused = arrivalRejection(working.order, this.market, new Date(this.#now), matches);
    if (this.#isBlind) this.#end(working, { type: 'denied', refusal: STALE });
    else if (refused !== null) this.#end(working, rejectedWith(refused));
    else if (matches && delay > 0) this.#hold(working, delay);
    else this.#match(working, 0);
  }

  #hold(working: WorkingOrder, delaySeconds: number): void {
    this.#held.add(working);
    this.#timers.put(this.#now + delaySeconds * 1000, { type: 'release', working });
    this.#report(working, { type: 'accepted', venueOrderId: working.venueOrderId, delayed: true });
  }

  #release(working: WorkingOrder): void {
    this.#held.delete(working);
    const refused = this.#isBlind ? STALE : rejection(working.order, this.market);
    if (refused !== null) this.#end(working, rejectedWith(refused));
    else this.#match(working, this.market.terms?.delaySeconds ?? 0);
  }

  #match(working: WorkingOrder, delaySeconds: number): void {
    const { timeInForce } = working.order.intent;
    const takes = this.#simulated.walk(working, this.#now);
    if (timeInForce === 'FOK' && leftAfter(working, takes) > 0n)
      this.#end(working, rejectedWith(fokKilled(working, takenShares(takes))));
    else if (timeInForce === 'FAK' && takes.length === 0)
      this.#end(working, rejectedWith(fakKilled(working, this.#simulated.best(working))));
    else this.#fill(working, takes, delaySeconds);
  }

  #fill(working: WorkingOrder, takes: readonly Take[], delaySeconds: number): void {
    const latencyMs = arrivalOf(working.order, this.latencyMs).getTime() - working.order.placedAt.getTime();
    const model = fillModel({ kind: 'walk', latencyMs, delaySeconds }, this.evidence);
    const atArrival = this.quoted(working.order.intent.outcome) ?? undefined;
    this.#report(working, { type: 'accepted', venueOrderId: working.venueOrderId, delayed: false, atArrival });
    this.#filled(this.#simulated.take(working, takes, model, this.#now));
    if (working.isFilled) return;
    if (working.order.intent.timeInForce !== 'FAK') this.#join(working);
    else this.#end(working, cancelled('FAK: what did not fill at once is cancelled'));
  }

  #join(working: WorkingOrder): void {
    this.#simulated.join(working);
    if (working.end !== null) this.#timers.put(Math.max(working.end.getTime(), this.#now), { type: 'expire', working });
  }

  #renew(market: Market): void {
    const isResumed = this.market.terms?.endsOrdersOnResume === true && market.terms?.acceptingOrders === true;
    this.market = market;
    if (isResumed) this.#endResting(MARKET_RESUMED);
    const emptied = this.#gameStart.found(market, this.#now);
    // A newer book has come, and stays: only the orders that rested in the old one end.
    if (emptied !== null) this.#endResting(GAME_STARTED, emptied);
    if (hasMarketEnded(market)) this.#endResting(MARKET_CLOSED);
  }

  #wipe(start: number): void {
    this.#gameStart.pass(start);
    if (this.market.terms?.clearsBookAtStart !== true) return;
    this.#endResting(GAME_STARTED);
    this.#simulated.wipe(this.#now);
  }

  #endResting(reason: string, placedBefore = Number.POSITIVE_INFINITY): void {
    const ending = this.#simulated.queue.all().filter(({ order }) => order.placedAt.getTime() < placedBefore);
    for (const working of ending) this.#end(working, cancelled(reason));
  }

  #cancelled(orderId: OrderId): void {
    const working = this.#workingOrders.get(orderId);
    if (working === undefined) return;
    if (!this.#held.has(working)) this.#end(working, cancelled(CANCELLED_ON_REQUEST));
    else this.#report(working, { type: 'cancel_refused', reason: 'a delayed order cannot be cancelled' });
  }

  #bookChanged(what: 'book' | 'levels', filled: readonly BookFill[]): void {
    this.#filled(filled);
    if (this.#gameStart.emptied(what, this.#simulated.book, this.market, this.#now)) this.#endResting(GAME_STARTED);
  }

  #filled(filled: readonly BookFill[]): void {
    for (const { working, execution } of filled) {
      this.#report(working, { type: 'fill', execution });
      if (working.isFilled) this.#forget(working);
    }
  }

  #end(working: WorkingOrder, happening: Happening): void {
    this.#report(working, happening);
    this.#forget(working);
  }

  #admit(order: Order): WorkingOrder {
    const working = new WorkingOrder(order, this.market.lot);
    this.#workingOrders.set(order.id, working);
    return working;
  }

  #forget(working: WorkingOrder): void {
    this.#workingOrders.delete(working.order.id);
    this.#simulated.queue.leave(working);
  }

  #report({ order }: WorkingOrder, happening: Happening): void {
    this.#outbox.put(order, happening, this.#now);
  }
}

/** Reports of one order, in sequence. */
export interface ReportBatch {
  readonly order: Order;
  readonly reports: readonly Report[];
}

/** A report without its moment. */
export type Happening = Report extends infer R ? (R extends Report ? Omit<R, 'at'> : never) : never;

/** The end of an order that the venue did not take, or killed. */
const rejectedWith = (refusal: Refusal): Happening => ({ type: 'rejected', refusal });

/** The end of an order that the venue took back. */
const cancelled = (reason: string): Happening => ({ type: 'cancelled', reason });

/** Collects what is to be reported, in the order in which it happened. */
class Outbox {
  #batches: { order: Order; reports: Report[] }[] = [];

  put(order: Order, happening: Happening, at: number): void {
    const report = { ...happening, at: new Date(at) } as Report;
    const last = this.#batches.at(-1);
    if (last?.order === order) last.reports.push(report);
    else this.#batches.push({ order, reports: [report] });
  }

  /** All that was put since it was last drained. */
  drain(): readonly ReportBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    return batches;
  }
}

/** What will happen to an order at a moment. */
export type Timer =
  | { readonly type: 'arrive' | 'release' | 'expire'; readonly working: WorkingOrder }
  | { readonly type: 'cancel'; readonly orderId: OrderId };

interface Entry {
  readonly at: number;
  readonly key: string;
  readonly due: Timer;
}

/** At one moment what ends comes before what begins. */
const RANK = { expire: 0, cancel: 1, release: 2, arrive: 3 } as const satisfies Record<Timer['type'], number>;

/** Due entries in order of time; at one moment by kind, then by order id, so that the order of insertion does not matter. */
class TimerQueue {
  readonly #entries: Entry[] = [];

  /** The earliest moment at which something is due, in milliseconds; infinitely late when nothing is. */
  get next(): number {
    return this.#entries[0]?.at ?? Number.POSITIVE_INFINITY;
  }

  put(at: number, due: Timer): void {
    const key = `${RANK[due.type]}${due.type === 'cancel' ? due.orderId : due.working.order.id}`;
    const entry = { at, key, due };
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (comesFirst(this.#entries[middle] ?? entry, entry)) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, entry);
  }

  /** Takes out the earliest entry that is due before `to`, or at it when that is included. */
  take(to: number, included: boolean): Entry | undefined {
    const first = this.#entries[0];
    if (first === undefined || first.at > to || (first.at === to && !included)) return undefined;
    return this.#entries.shift();
  }
}

function comesFirst(one: Entry, other: Entry): boolean {
  return one.at === other.at ? one.key <= other.key : one.at < other.at;
}
