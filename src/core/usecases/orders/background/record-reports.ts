import type { Report } from '../../../../ports/exchange.js';
import type { Ledger } from '../../../../ports/ledger.js';
import type { Order } from '../../../order/order.js';
import { recordReport } from '../../../posting/outcome.js';
import { takeStep } from '../../../posting/posting.js';
import type { OrderContext } from '../../../posting/trading-stop.js';

/**
 * Records what a venue reports about an order without being asked. A report may be repeated, or follow an answer that says
 * the same: what is on record already changes nothing. An order that is decided in this process and has ended on record
 * gains nothing more: late fills come from venues over the network.
 */
export class RecordReports {
  constructor(
    private readonly ledger: Pick<Ledger, 'write'>,
    private readonly context: OrderContext,
  ) {}

  /** The order as it is then. @throws OrderNotFound, InvariantBroken, StorageUnavailable */
  execute(order: Order, reports: readonly Report[]): Promise<Order> {
    return takeStep(this.ledger, this.context, order, (posting) => {
      for (const report of reports) recordReport(posting, report);
    });
  }
}
