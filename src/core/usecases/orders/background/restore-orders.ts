import type { Report } from '../../../../ports/exchange.js';
import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import type { OrderId } from '../../../ids.js';
import { type Page, slices } from '../../../ledger/query.js';
import { STALE } from '../../../matching/working-order.js';
import { CANCELLED_ON_REQUEST, isInFlight } from '../../../order/lifecycle.js';
import type { Order } from '../../../order/order.js';
import type { RecordReports } from './record-reports.js';

/** A venue in this process, which needs its resting orders back after a restart. */
export interface Restoring {
  /** Changes nothing about an order that it holds already. False when it does not have the order's market. */
  adopt(order: Order): Promise<boolean>;
}

/** An order that could not be handled, and why. */
export interface LeftOut {
  readonly order: OrderId;
  readonly error: unknown;
}

/** What became of the orders that may still trade. */
export interface Restoration {
  /** How many the exchange has taken back. */
  readonly adopted: number;
  /** How many are in markets that it does not have. They can be cancelled. */
  readonly homeless: number;
  /** Orders to be tried again, which can be cancelled meanwhile. */
  readonly failures: readonly LeftOut[];
}

/**
 * After a restart: hands every paper order that was accepted and may still trade back to the exchange in this process. May
 * be repeated. One that cannot be handed back stays on record as it is, except that a hold by the venue ends without a book,
 * and a pending cancellation is granted: nothing else would ever end those.
 */
export class RestoreOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly exchange: Restoring,
    private readonly recordReports: RecordReports,
    private readonly clock: Clock,
  ) {}

  /** An order that fails stops neither the others nor the start. @throws StorageUnavailable when it cannot read them */
  async execute(): Promise<Restoration> {
    const outcomes: (boolean | LeftOut)[] = [];
    const read = (page: Page<OrderId>) => this.ledger.listVenueOrders({ paper: true, working: true }, page);
    for await (const orders of slices(read, (order) => order.id)) {
      const accepted = orders.filter(({ state }) => !isInFlight(state) && state !== 'unknown');
      outcomes.push(...(await Promise.all(accepted.map((order) => this.#restore(order)))));
    }
    const count = (wanted: boolean) => outcomes.filter((outcome) => outcome === wanted).length;
    const failures = outcomes.filter((outcome) => typeof outcome !== 'boolean');
    return { adopted: count(true), homeless: count(false), failures };
  }

  async #restore(order: Order): Promise<boolean | LeftOut> {
    try {
      const adopted = await this.exchange.adopt(order);
      if (!adopted) await this.#conclude(order);
      return adopted;
    } catch (error) {
      await this.#conclude(order).catch(() => {});
      return { order: order.id, error };
    }
  }

  async #conclude(order: Order): Promise<void> {
    const at = this.clock.now();
    const reports: Report[] = [];
    if (order.state === 'delayed') reports.push({ type: 'rejected', refusal: STALE, at });
    if (order.state === 'cancel_pending') reports.push({ type: 'cancelled', reason: CANCELLED_ON_REQUEST, at });
    if (reports.length > 0) await this.recordReports.execute(order, reports);
  }
}
