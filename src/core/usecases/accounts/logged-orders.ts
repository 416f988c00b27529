import type { Ledger } from '../../../ports/ledger.js';
import { InvariantBroken } from '../../errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import type { AccountEvent } from '../../ledger/event-log.js';
import { applyEvent } from '../../order/apply.js';
import type { OrderEvent } from '../../order/event.js';
import type { Order } from '../../order/order.js';

/** An event of an order, by the order's id and the number of the event in its history. */
interface Named {
  readonly id: OrderId;
  readonly seq: number;
}

/** An order right after one of its events. */
export interface OrderAfter {
  readonly kind: 'order';
  readonly order: Order;
  readonly event: OrderEvent;
}

/** Orders remembered: few, because each may have thousands of fills. */
const MOST = 100;

/** Orders as they were after their events; it goes on from what the page before left of them. */
export class LoggedOrders {
  readonly #recent = new Map<OrderId, Order>();

  constructor(private readonly ledger: Pick<Ledger, 'log'>) {}

  /** The orders after each of these events. @throws InvariantBroken for any other event */
  async after(account: AccountId, events: readonly AccountEvent[]): Promise<(event: Named) => OrderAfter> {
    const wanted = events.flatMap(({ subject }) => (subject.kind === 'order' ? [subject] : []));
    const found = new Map<string, OrderAfter>(wanted.length === 0 ? [] : await this.#found(account, wanted));
    return (event) => {
      const after = found.get(nameOf(event));
      if (after === undefined) throw new InvariantBroken('every event of an order in the log is on record');
      return after;
    };
  }

  async #found(account: AccountId, wanted: readonly Named[]): Promise<[string, OrderAfter][]> {
    const names = new Set(wanted.map(nameOf));
    const first = new Map(wanted.toReversed().map(({ id, seq }) => [id, seq]));
    const last = new Map(wanted.map(({ id, seq }) => [id, seq]));
    const states = new Map([...first].flatMap(([id, seq]) => this.#known(account, id, seq)));
    const ranges = [...last].map(([id, upTo]) => ({ id, after: states.get(id)?.seq ?? 0, upTo }));
    const found: [string, OrderAfter][] = [];
    for (const event of await this.ledger.log.histories(account, ranges)) {
      const order = applyEvent(states.get(event.orderId), event);
      states.set(order.id, order);
      const name = nameOf(order);
      if (names.has(name)) found.push([name, { kind: 'order', order, event }]);
    }
    for (const order of states.values()) this.#remember(order);
    return found;
  }

  #known(account: AccountId, id: OrderId, before: number): [OrderId, Order][] {
    const order = this.#recent.get(id);
    return order !== undefined && order.account === account && order.seq < before ? [[id, order]] : [];
  }

  #remember(order: Order): void {
    this.#recent.delete(order.id);
    this.#recent.set(order.id, order);
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined && this.#recent.size > MOST) this.#recent.delete(oldest);
  }
}

const nameOf = ({ id, seq }: Named): string => `${seq} ${id}`;
