import type { Ledger } from '../../ports/ledger.js';
import type { OrderId } from '../ids.js';
import { isInFlight } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';

const AT_ONCE = 100;

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
    let after: OrderId | undefined;
    for (;;) {
      const page = { limit: AT_ONCE, ...(after === undefined ? {} : { after }) };
      const orders = await this.ledger.listVenueOrders({ paper: true, working: true }, page);
      const accepted = orders.filter(({ state }) => !isInFlight(state) && state !== 'unknown');
      outcomes.push(...(await Promise.allSettled(accepted.map((order) => this.exchange.adopt(order)))));
      if (orders.length < AT_ONCE) break;
      after = orders.at(-1)?.id;
    }
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return outcomes.length;
  }
}
