import type { OrderId } from '../ids.js';
import type { BookView } from '../market/book.js';
import type { MarketEvent } from '../market/event.js';
import { type Market, withTick } from '../market/market.js';
import type { Order } from '../order/order.js';
import { CANCELLED_ON_REQUEST } from '../order/outcome.js';
import { Agenda, type Due } from './agenda.js';
import { arrivalRejection, FAK_KILLED, FOK_KILLED, hasEnded, rejection, STALE } from './checks.js';
import { GameStart } from './game-start.js';
import { fillModel, GAME_STARTED, MARKET_CLOSED } from './model.js';
import { type Batch, cancelled, type Happening, Outbox, rejected } from './outbox.js';
import { type Filled, Pit } from './pit.js';
import { arrivalOf, Ticket } from './ticket.js';
import { leftAfter, type Take } from './walk.js';

/**
 * Matches orders against the book of one market, as the venue would have: pure and without a clock, so that the same
 * events and orders give the same fills.
 */
export class Matcher {
  readonly #pit: Pit;
  readonly #agenda = new Agenda();
  readonly #tickets = new Map<OrderId, Ticket>();
  readonly #held = new Set<Ticket>();
  readonly #outbox = new Outbox();
  readonly #gameStart: GameStart;
  #now: number;
  /** When something that was due happened last: what comes later can no longer take its place before it. */
  #latest = Number.NEGATIVE_INFINITY;

  /** `latencyMs` is how long an order or a cancellation takes to the venue. */
  constructor(
    private market: Market,
    private readonly latencyMs: number,
    now: Date,
  ) {
    this.#pit = new Pit(market.lot);
    this.#now = now.getTime();
    this.#gameStart = new GameStart(market, now);
  }

  /** False until the first book, and after a gap until the next one. */
  get fresh(): boolean {
    return this.#pit.fresh;
  }

  /** True while the book is empty because the venue emptied it, and no whole one was told since. */
  get wiped(): boolean {
    return this.#pit.wiped;
  }

  /** True while some order is on its way, held, or resting, or something that was taken is still displayed. */
  get busy(): boolean {
    return this.#tickets.size > 0 || this.#pit.hasTaken;
  }

  /** When something is due without any event. */
  get next(): Date | null {
    const due = Math.min(this.#agenda.next, this.#gameStart.due(this.market) ?? Number.POSITIVE_INFINITY);
    return Number.isFinite(due) ? new Date(due) : null;
  }

  view(): BookView {
    return this.#pit.view(new Date(this.#now));
  }

  /** What happened since it was last asked. */
  drain(): readonly Batch[] {
    return this.#outbox.drain();
  }

  /** Lets an order arrive when it is to arrive, or at the moment at which it is known to have arrived. */
  enter(order: Order, arrived = arrivalOf(order, this.latencyMs)): void {
    if (this.#tickets.has(order.id)) return;
    this.#send({ type: 'arrive', ticket: this.#admit(order) }, arrived.getTime());
  }

  /** Puts an order that rested before a restart back, behind everyone; what ended or crossed it meanwhile does so now. */
  rest(order: Order): void {
    if (this.#tickets.has(order.id)) return;
    const ticket = this.#admit(order);
    this.#join(ticket);
    if (this.#gameStart.wiped(this.market, order.placedAt)) this.#end(ticket, cancelled(GAME_STARTED));
    else if (hasEnded(this.market)) this.#endResting(MARKET_CLOSED);
    this.#run(this.#now, true);
    // A cancellation that was sent before the restart came before what the book shows now.
    if (this.fresh && order.state !== 'cancel_pending') this.#filled(this.#pit.look(this.#now));
  }

  /** Forgets an order without a word. */
  drop(orderId: OrderId): void {
    const ticket = this.#tickets.get(orderId);
    if (ticket !== undefined) this.#forget(ticket);
  }

  /** Sends a cancellation off at a moment, or, where it is known to have arrived, lets it arrive then. */
  cancel(orderId: OrderId, sent: Date, arrived?: Date): void {
    this.#send({ type: 'cancel', orderId }, arrived?.getTime() ?? sent.getTime() + this.latencyMs);
  }

  /** Lets time pass up to this moment, and whatever is due by then happen. */
  advance(to: Date): void {
    this.#run(to.getTime(), true);
  }

  /** Takes what the market told; what was due before it comes first. */
  apply(event: MarketEvent): void {
    this.#run(event.at.getTime(), false);
    this.#gameStart.before(this.fresh ? this.#pit.book : null, this.#now);
    if (event.type === 'gap') this.#pit.lose();
    else if (event.type === 'book') this.#told('book', this.#pit.replace(event.bids, event.asks, this.#now));
    else if (event.type === 'market') this.#renew(event.market);
    else if (event.type === 'tick') this.market = withTick(this.market, event.tick);
    else if (!this.fresh) return;
    else if (event.type === 'levels') this.#told('levels', this.#pit.change(event.changes, this.#now));
    else this.#filled(this.#pit.trade(event.taker, event.price, event.shares, this.#now));
  }

  #send(due: Due, at: number): void {
    this.#agenda.put(Math.max(at, this.#now, this.#latest + 1), due);
  }

  #run(to: number, included: boolean): void {
    for (;;) {
      const start = this.#gameStart.due(this.market);
      const wipes = start !== undefined && start <= to;
      const due = this.#agenda.take(wipes ? start : to, included && !wipes);
      this.#now = Math.max(this.#now, due?.at ?? (wipes ? start : to));
      if (due !== undefined) this.#happen(due.at, due.due);
      else if (wipes) this.#wipe(start);
      else return;
    }
  }

  #happen(at: number, due: Due): void {
    this.#latest = at;
    if (due.type === 'cancel') this.#cancelled(due.orderId);
    else if (this.#tickets.get(due.ticket.order.id) !== due.ticket) return;
    else if (due.type === 'arrive') this.#arrive(due.ticket);
    else if (due.type === 'release') this.#release(due.ticket);
    else this.#end(due.ticket, { type: 'expired', reason: 'expires_at has come' });
  }

  #arrive(ticket: Ticket): void {
    const delay = this.#gameStart.inPlay(this.market, this.#now) ? (this.market.terms?.delaySeconds ?? 0) : 0;
    const matches = this.fresh && this.#pit.crosses(ticket);
    const refused = arrivalRejection(ticket.order, this.market, new Date(this.#now), matches);
    if (!this.fresh) this.#end(ticket, { type: 'denied', refusal: STALE });
    else if (refused !== null) this.#end(ticket, rejected(refused));
    else if (matches && delay > 0) this.#hold(ticket, delay);
    else this.#match(ticket, 0);
  }

  #hold(ticket: Ticket, delaySeconds: number): void {
    this.#held.add(ticket);
    this.#agenda.put(this.#now + delaySeconds * 1000, { type: 'release', ticket });
    this.#report(ticket, { type: 'accepted', venueOrderId: ticket.venueOrderId, delayed: true });
  }

  #release(ticket: Ticket): void {
    this.#held.delete(ticket);
    const refused = this.fresh ? rejection(ticket.order, this.market) : STALE;
    if (refused !== null) this.#end(ticket, rejected(refused));
    else this.#match(ticket, this.market.terms?.delaySeconds ?? 0);
  }

  #match(ticket: Ticket, delaySeconds: number): void {
    const { timeInForce } = ticket.order.intent;
    const takes = this.#pit.walk(ticket, this.#now);
    if (timeInForce === 'FOK' && leftAfter(ticket, takes) > 0n) this.#end(ticket, rejected(FOK_KILLED));
    else if (timeInForce === 'FAK' && takes.length === 0) this.#end(ticket, rejected(FAK_KILLED));
    else this.#fill(ticket, takes, delaySeconds);
  }

  #fill(ticket: Ticket, takes: readonly Take[], delaySeconds: number): void {
    const latencyMs = arrivalOf(ticket.order, this.latencyMs).getTime() - ticket.order.placedAt.getTime();
    const model = fillModel({ kind: 'walk', latencyMs, delaySeconds });
    this.#report(ticket, { type: 'accepted', venueOrderId: ticket.venueOrderId, delayed: false });
    this.#filled(this.#pit.take(ticket, takes, model));
    if (ticket.isFilled) return;
    if (ticket.order.intent.timeInForce !== 'FAK') this.#join(ticket);
    else this.#end(ticket, cancelled('FAK: what did not fill at once is cancelled'));
  }

  #join(ticket: Ticket): void {
    this.#pit.join(ticket);
    if (ticket.end !== null) this.#agenda.put(Math.max(ticket.end.getTime(), this.#now), { type: 'expire', ticket });
  }

  #renew(market: Market): void {
    this.market = market;
    const emptied = this.#gameStart.found(market, this.#now);
    // The book was told since, and is as it is: only the orders that went with the old one are missing.
    if (emptied !== null) this.#endResting(GAME_STARTED, emptied);
    if (hasEnded(market)) this.#endResting(MARKET_CLOSED);
  }

  #wipe(start: number): void {
    this.#gameStart.pass(start);
    if (this.market.terms?.clearsBookAtStart !== true) return;
    this.#endResting(GAME_STARTED);
    this.#pit.wipe(this.#now);
  }

  #endResting(reason: string, placedBefore = Number.POSITIVE_INFINITY): void {
    const ending = this.#pit.queue.all().filter(({ order }) => order.placedAt.getTime() < placedBefore);
    for (const ticket of ending) this.#end(ticket, cancelled(reason));
  }

  #cancelled(orderId: OrderId): void {
    const ticket = this.#tickets.get(orderId);
    if (ticket === undefined) return;
    if (!this.#held.has(ticket)) this.#end(ticket, cancelled(CANCELLED_ON_REQUEST));
    else this.#report(ticket, { type: 'cancel_refused', reason: 'a delayed order cannot be cancelled' });
  }

  #told(what: 'book' | 'levels', filled: readonly Filled[]): void {
    this.#filled(filled);
    if (this.#gameStart.emptied(what, this.#pit.book, this.market, this.#now)) this.#endResting(GAME_STARTED);
  }

  #filled(filled: readonly Filled[]): void {
    for (const { ticket, execution } of filled) {
      this.#report(ticket, { type: 'fill', execution });
      if (ticket.isFilled) this.#forget(ticket);
    }
  }

  #end(ticket: Ticket, happening: Happening): void {
    this.#report(ticket, happening);
    this.#forget(ticket);
  }

  #admit(order: Order): Ticket {
    const ticket = new Ticket(order, this.market.lot);
    this.#tickets.set(order.id, ticket);
    return ticket;
  }

  #forget(ticket: Ticket): void {
    this.#tickets.delete(ticket.order.id);
    this.#pit.queue.leave(ticket);
  }

  #report({ order }: Ticket, happening: Happening): void {
    this.#outbox.put(order, happening, this.#now);
  }
}
