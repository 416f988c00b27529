import type { OrderId } from '../../core/ids.js';
import { isInFlight, isWorking } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Report } from '../../ports/report.js';

/** One order on record, and its events that were not replayed yet. */
interface Expected {
  readonly onRecord: Order;
  /** What happens to it before this moment, in milliseconds, is on record; what happens then may be. */
  readonly since: number;
  readonly fills: Set<string>;
  contradicted: boolean;
}

/**
 * Compares the replay of a tape with the record. The record is authoritative: a contradiction is not news, and neither is
 * anything about an order that has ended there.
 */
export class ReplayCheck {
  readonly #expected = new Map<OrderId, Expected>();
  readonly #last: number;

  /** `last` is the newest moment on record: all events before it are on record, those at that moment may be. */
  constructor(last: Date) {
    this.#last = last.getTime();
  }

  /** An order on record that will be replayed, and when its cancellation arrives, if one was requested. */
  expect(onRecord: Order, cancelled: Date | null): void {
    const fills = new Set(onRecord.fills.map(keyOf));
    const since = Math.min(this.#last, unheardOf(onRecord, cancelled));
    this.#expected.set(onRecord.id, { onRecord, since, fills, contradicted: false });
  }

  /** The reports that may not be on record yet. */
  news({ id }: Order, reports: readonly Report[]): readonly Report[] {
    const expected = this.#expected.get(id);
    if (expected === undefined) return reports;
    for (const report of reports) this.#compare(expected, report);
    if (expected.contradicted || !isWorking(expected.onRecord.state)) return [];
    return reports.filter(({ at }) => at.getTime() >= expected.since);
  }

  /**
   * Orders whose replay contradicts the record, including those that have ended on record but are still alive by `isAlive`.
   * Call once time is past the record.
   */
  contradicted(isAlive: (order: Order) => boolean): readonly Order[] {
    const all = [...this.#expected.values()].filter(({ contradicted, fills, onRecord }) => {
      return contradicted || fills.size > 0 || (!isWorking(onRecord.state) && isAlive(onRecord));
    });
    return all.map(({ onRecord }) => onRecord);
  }

  #compare(expected: Expected, report: Report): void {
    const onRecord = report.at.getTime() < expected.since || !isWorking(expected.onRecord.state);
    if (report.type === 'fill') {
      const known = expected.fills.delete(keyOf(report.execution));
      if (!known && onRecord) expected.contradicted = true;
    } else if (report.type === 'cancelled' || report.type === 'expired') {
      if (onRecord && expected.onRecord.state !== report.type) expected.contradicted = true;
    } else if (report.type === 'rejected' || report.type === 'denied') {
      if (wasTaken(expected.onRecord, onRecord)) expected.contradicted = true;
    }
  }
}

/** From when nothing of an order is on record because something was in flight, in milliseconds; never if nothing was. */
function unheardOf({ state, placedAt }: Order, cancelled: Date | null): number {
  if (isInFlight(state)) return placedAt.getTime();
  return state === 'cancel_pending' && cancelled !== null ? cancelled.getTime() : Number.POSITIVE_INFINITY;
}

/** The venue accepted it finally, according to the record: a delayed order may still be rejected later. */
function wasTaken({ state, venueOrderId }: Order, onRecord: boolean): boolean {
  return venueOrderId !== null && state !== 'rejected' && (state !== 'delayed' || onRecord);
}

/** Identifies a trade: equal keys are the same trade. */
function keyOf({ tradeId, shares, price }: { tradeId: string; shares: bigint; price: bigint }): string {
  return `${tradeId} ${shares} ${price}`;
}
