import type { Ledger } from '../../ports/ledger.js';
import { OrderNotFound } from '../errors.js';
import { scopeOf } from '../ledger/scope.js';
import type { Order } from '../order/order.js';
import { answerOf, booked, recordSighting } from '../order/outcome.js';
import { type Desk, Posting } from '../order/posting.js';
import type { Venues } from './place-order.js';

/** Carries an order on record to its venue, once, and records what came of it. */
export class SubmitOrder {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly desk: Desk,
  ) {}

  async execute(order: Order): Promise<Order> {
    const venue = order.intent.paper ? this.venues.paper : this.venues.live;
    if (venue === null) return order;
    if (venue.local === null && !(await this.#claim(order))) return this.#record(order, () => {});
    const placement = await answerOf(venue, (v) => v.place(order));
    return booked(placement, (answer) => this.#record(order, (posting) => recordSighting(posting, answer)));
  }

  /** True for the one caller that takes the order from `pending`: nobody else may send it. */
  async #claim(order: Order): Promise<boolean> {
    let mine = false;
    await this.#record(order, (posting) => {
      mine = posting.order.state === 'pending';
      if (mine) posting.record({ type: 'submitting' });
    });
    return mine;
  }

  #record(order: Order, step: (posting: Posting) => void): Promise<Order> {
    return this.ledger.write(scopeOf(order), (now) => {
      const current = now.order(order.id);
      if (current === undefined) throw new OrderNotFound();
      const posting = Posting.resume(now, this.desk, current);
      step(posting);
      return posting.decision(posting.order);
    });
  }
}
