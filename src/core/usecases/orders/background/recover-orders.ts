import type { Exchange } from '../../../../ports/exchange.js';
import type { Ledger } from '../../../../ports/ledger.js';
import type { OrderId } from '../../../ids.js';
import { leaseOf, underLease } from '../../../ledger/decision.js';
import { type Page, slices } from '../../../ledger/query.js';
import type { Order } from '../../../order/order.js';
import { answerOf, booked, recordStatusReport } from '../../../posting/outcome.js';
import { takeStep } from '../../../posting/posting.js';
import type { OrderContext } from '../../../posting/trading-stop.js';
import type { Venues } from '../../../venues/venues.js';
import type { SubmitOrder } from '../submit-order.js';
import type { LeftOut } from './restore-orders.js';

/** What became of the orders that were in flight. */
export interface Recovery {
  readonly recovered: number;
  /** Orders to be tried again. */
  readonly failures: readonly LeftOut[];
}

/**
 * After a restart: finishes every order at an exchange in this process that was in flight when it ended. An order that was not sent is
 * submitted now; one that may have been sent is queried, and stays `unknown` until the venue gives evidence. May be
 * repeated. Others have jobs, which another server may hold.
 */
export class RecoverOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly venues: Venues,
    private readonly submitOrder: SubmitOrder,
    private readonly context: OrderContext,
  ) {}

  /** An order that fails stops neither the others nor the start. @throws StorageUnavailable when it cannot read them */
  async execute(): Promise<Recovery> {
    const outcomes: (LeftOut | null)[] = [];
    const read = (page: Page<OrderId>) => this.ledger.listInFlight(page);
    for await (const orders of slices(read, (order) => order.id)) {
      const local = orders.filter(({ intent }) => this.venues.isLocal(intent));
      outcomes.push(...(await Promise.all(local.map((order) => this.#recover(order)))));
    }
    const failures = outcomes.filter((outcome) => outcome !== null);
    return { recovered: outcomes.length - failures.length, failures };
  }

  async #recover(order: Order): Promise<LeftOut | null> {
    try {
      const exchange = this.venues.exchangeOf(order.intent);
      if (order.state === 'pending') await this.submitOrder.execute(order);
      else if (exchange !== null) await this.#look(exchange, order);
      return null;
    } catch (error) {
      return { order: order.id, error };
    }
  }

  async #look(exchange: Exchange, order: Order): Promise<void> {
    const report = await answerOf(exchange, () => exchange.find(order));
    const lease = leaseOf(exchange);
    const ledger = underLease(this.ledger, () => lease);
    await booked(report, (answer) =>
      takeStep(ledger, this.context, order, (posting) => recordStatusReport(posting, answer)),
    );
  }
}
