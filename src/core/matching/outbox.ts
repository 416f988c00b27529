import type { Report } from '../../ports/report.js';
import type { Order, Refusal } from '../order/order.js';

/** Reports of one order, in turn. */
export interface ReportBatch {
  readonly order: Order;
  readonly reports: readonly Report[];
}

/** A report without its moment. */
export type Happening = Report extends infer R ? (R extends Report ? Omit<R, 'at'> : never) : never;

/** The end of an order that the venue did not take, or killed. */
export const rejectedWith = (refusal: Refusal): Happening => ({ type: 'rejected', refusal });

/** The end of an order that the venue took back. */
export const cancelled = (reason: string): Happening => ({ type: 'cancelled', reason });

/** Collects what is to be reported, in the order in which it happened. */
export class Outbox {
  #batches: { order: Order; reports: Report[] }[] = [];

  put(order: Order, happening: Happening, at: number): void {
    const report = { ...happening, at: new Date(at) } as Report;
    const last = this.#batches.at(-1);
    if (last?.order === order) last.reports.push(report);
    else this.#batches.push({ order, reports: [report] });
  }

  /** All that was put since it was last drained. */
  drain(): readonly ReportBatch[] {
    const batches = this.#batches;
    this.#batches = [];
    return batches;
  }
}
