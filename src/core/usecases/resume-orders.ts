import type { Ledger } from '../../ports/ledger.js';
import type { OrderId } from '../ids.js';
import { type Page, slices } from '../ledger/query.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';

/** A venue in this process, which has to be told after a restart what rested with it. */
export interface Resuming {
  adopt(order: Order): Promise<void>;
}

/** After a restart: hands every paper order that was accepted and may still trade back to the exchange in this process. */
export class ResumeOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly exchange: Resuming,
  ) {}

  /** Tells how many were handed back. One that fails does not hold up the others: its error comes at the end. */
  async execute(): Promise<number> {
    const outcomes: PromiseSettledResult<void>[] = [];
    const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: true, working: true }, page);
    for await (const orders of slices(read, (order) => order.id)) {
      const accepted = orders.filter(({ state }) => !isInFlight(state) && state !== 'unknown');
      outcomes.push(...(await Promise.allSettled(accepted.map((order) => this.exchange.adopt(order)))));
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return outcomes.length;
  }
}
