import type { Ledger } from '../../../../ports/ledger.js';
import type { Report } from '../../../../ports/report.js';
import { OrderNotFound } from '../../../errors.js';
import { scopeOf } from '../../../ledger/scope.js';
import type { Execution } from '../../../order/fill.js';
import { ALLOWED, isWorking } from '../../../order/lifecycle.js';
import { dollarsLeft, type Order } from '../../../order/order.js';
import { type OrderContext, Posting, type StepChange } from '../../../posting/posting.js';

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
    return this.ledger.write(scopeOf(order), (now) => {
      const current = now.order(order.id);
      if (current === undefined) throw new OrderNotFound();
      const posting = Posting.resume(now, this.context, current);
      for (const report of reports) record(posting, report);
      return posting.decision(posting.order);
    });
  }
}

function record(posting: Posting, report: Report): void {
  posting.happened(report.at);
  if (report.type === 'fill') recordFill(posting, report.execution);
  else if (isNews(posting.order, report)) posting.record(changeOf(posting.order, report));
}

function recordFill(posting: Posting, execution: Execution): void {
  const { intent, state } = posting.order;
  if (!intent.paper || isWorking(state) || spendsOn(posting.order)) posting.fill(execution);
}

/** The dollars of a purchase may buy more at the same moment than it was filled whole with. */
const spendsOn = (order: Order): boolean =>
  order.state === 'filled' && order.settlement === null && (dollarsLeft(order) ?? 0n) > 0n;

type Step = Exclude<Report, { type: 'fill' }>;

function isNews({ state, settlement }: Order, report: Step): boolean {
  if (settlement !== null) return false;
  if (report.type === 'accepted' && state === 'delayed') return !report.delayed;
  const allowed: readonly string[] = ALLOWED[report.type === 'denied' ? 'rejected' : report.type];
  return allowed.includes(state);
}

/** Our own refusal is one only before the order counts as sent. */
function changeOf({ state }: Order, { at: _, ...change }: Step): StepChange {
  return change.type === 'denied' && state !== 'pending' ? { ...change, type: 'rejected' } : change;
}
