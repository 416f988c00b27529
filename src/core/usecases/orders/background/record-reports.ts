import type { Ledger } from '../../../../ports/ledger.js';
import type { Report } from '../../../../ports/report.js';
import type { Order } from '../../../order/order.js';
import type { OrderContext } from '../../../posting/order-context.js';
import { recordReport } from '../../../posting/outcome.js';
import { takeStep } from '../../../posting/stepping.js';

/**
 * Puts on record what a venue reports about an order without being asked. Every report may come again, and after an answer
 * that told the same: what is on record already changes nothing. A paper order that has ended on record gains nothing more:
 * late fills exist at real venues only.
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
