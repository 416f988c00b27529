import type { OrderId, VenueName } from '../../core/ids.js';
import { isWorking } from '../../core/order/lifecycle.js';
import type { Execution } from '../../core/order/order.js';
import { type Order, remaining } from '../../core/order/order.js';
import type { Accepted, CancelResult, Denied, PlaceResult, Rejected, Report } from '../../ports/exchange.js';

/** What is known of one order, and the callers that wait for more. */
interface Progress {
  first: Accepted | Rejected | Denied | null;
  readonly executions: Execution[];
  missing: bigint;
  readonly placed: ((answer: PlaceResult) => void)[];
  readonly ended: ((answer: CancelResult) => void)[];
}

/** Turns a simulator's reports about working orders into a venue's answers. */
export class Answers {
  readonly #progress = new Map<OrderId, Progress>();

  /** The first answer to an order. */
  expect(order: Order): Promise<PlaceResult> {
    const progress = this.#open(order);
    if (progress.first !== null) return Promise.resolve(progress.first);
    return new Promise((resolve) => progress.placed.push(resolve));
  }

  /** How a cancellation ends. */
  expectEnd(order: Order): Promise<CancelResult> {
    const progress = this.#open(order);
    return new Promise((resolve) => progress.ended.push(resolve));
  }

  /** Takes up an order that was accepted before a restart. */
  resume(order: Order): void {
    if (order.venueOrderId === null) return;
    const progress = this.#open(order);
    progress.first = { kind: 'accepted', venueOrderId: order.venueOrderId, executions: [], failed: [], rest: 'open' };
  }

  /** Ends the wait: the answer will not come. */
  giveUp(order: Order, reason: string): void {
    const progress = this.#progress.get(order.id);
    this.#progress.delete(order.id);
    for (const resolve of progress?.placed ?? []) resolve({ kind: 'unknown', reason });
    for (const resolve of progress?.ended ?? []) resolve({ kind: 'unknown', reason });
  }

  /** Ends the wait for every order. */
  giveUpAll(reason: string): void {
    const given = [...this.#progress.values()];
    this.#progress.clear();
    for (const { placed, ended } of given)
      for (const resolve of [...placed, ...ended]) resolve({ kind: 'unknown', reason });
  }

  isWorking(order: Order): boolean {
    return this.#progress.has(order.id);
  }

  /** The venue's present state of an order; null for one that has ended, or was never here. */
  known(order: Order): Accepted | Rejected | Denied | null {
    const progress = this.#progress.get(order.id);
    if (progress === undefined || progress.first?.kind !== 'accepted') return progress?.first ?? null;
    return { ...progress.first, executions: [...progress.executions] };
  }

  /** Takes reports that are on record, and answers the callers that wait for them. */
  take(order: Order, reports: readonly Report[]): void {
    const progress = this.#open(order);
    for (const report of reports) this.#note(progress, report);
    const { first, executions } = progress;
    if (first !== null) {
      const answer = first.kind === 'accepted' ? { ...first, executions: [...executions] } : first;
      for (const resolve of progress.placed.splice(0)) resolve(answer);
    }
    this.#conclude(order, progress, reports);
  }

  #note(progress: Progress, report: Report): void {
    const { type } = report;
    if (type === 'fill') {
      progress.executions.push(report.execution);
      progress.missing -= report.execution.shares;
    } else if (type === 'accepted') {
      const rest = report.delayed ? 'delayed' : 'open';
      progress.first = { kind: 'accepted', venueOrderId: report.venueOrderId, executions: [], failed: [], rest };
    } else if (type === 'denied' || type === 'rejected') {
      progress.first = { kind: type, refusal: report.refusal };
    }
    const { first } = progress;
    if (first?.kind !== 'accepted') return;
    if (progress.missing <= 0n) progress.first = { ...first, rest: 'none' };
    else if (type === 'cancelled') progress.first = { ...first, rest: 'cancelled' };
  }

  #conclude(order: Order, { ended, first, missing }: Progress, reports: readonly Report[]): void {
    for (const report of reports) {
      if (report.type !== 'cancel_refused') continue;
      for (const resolve of ended.splice(0)) resolve({ kind: 'refused', reason: report.reason });
    }
    const cancelled = reports.some(({ type }) => type === 'cancelled' || type === 'expired');
    if (!cancelled && missing > 0n && first?.kind === 'accepted') return;
    this.#progress.delete(order.id);
    const answer: CancelResult = cancelled ? { kind: 'cancelled' } : { kind: 'refused', reason: 'the order has ended' };
    for (const resolve of ended.splice(0)) resolve(answer);
  }

  #open(order: Order): Progress {
    const known = this.#progress.get(order.id);
    if (known !== undefined) return known;
    const opened = { first: null, executions: [], missing: remaining(order), placed: [], ended: [] };
    this.#progress.set(order.id, opened);
    return opened;
  }
}

/** The venue name under which paper orders of all venues are simulated. */
export const PAPER = 'paper' as VenueName;

/**
 * The answer to the cancellation of an order that an exchange in this process does not hold: it keeps no durable state, so
 * an order that is still working on record is cancelled by this answer alone.
 */
export function disowned({ state, venueOrderId }: Order): CancelResult {
  if (venueOrderId !== null && isWorking(state)) return { kind: 'cancelled' };
  return { kind: 'refused', reason: 'the order has ended' };
}
