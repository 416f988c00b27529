import type { Logger } from 'pino';
import type { Order } from '../../core/order/order.js';
import type { Reconciliation } from '../../core/order/reconciliation.js';

/** Tells what live trading finds, each thing once, so that a person who has to look is not buried. */
export class LiveLog {
  readonly #told = new Set<string>();
  readonly #failing = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** What holding the exchange against the record came to. */
  reconciled({ changed, external, contradictions, failures }: Reconciliation): void {
    if (changed > 0) this.logger.info({ orders: changed }, 'brought orders up to what the exchange shows');
    for (const { venue, venueOrderId, marketId } of external) {
      this.logger.error({ venue, venueOrderId, marketId }, 'the wallet has an order that was not placed here');
    }
    for (const { orderId, message } of contradictions) {
      this.#once(`${orderId} ${message}`, () =>
        this.logger.error({ order: orderId, reason: message }, 'the exchange contradicts the record of an order'),
      );
    }
    for (const { order, error } of failures) {
      this.#once(`${order} failed`, () =>
        this.logger.error({ err: error, order }, 'an order could not be held against the exchange; it is tried again'),
      );
    }
  }

  /** Orders of which nobody knows whether the exchange has them. */
  unknown(orders: readonly Order[]): void {
    for (const { id, account, venueOrderId } of orders) {
      this.#once(`${id} unknown`, () =>
        this.logger.error({ order: id, account, venueOrderId }, 'nobody knows yet whether the exchange has an order'),
      );
    }
  }

  /** Something that is tried again failed. It is told anew only after it has worked. */
  failed(what: string, error: unknown): void {
    if (this.#failing.has(what)) return;
    this.#failing.add(what);
    this.logger.error({ err: error }, `could not ${what}; it is tried again`);
  }

  /** It worked. */
  worked(what: string): void {
    if (this.#failing.delete(what)) this.logger.info(`could ${what} again`);
  }

  #once(what: string, tell: () => void): void {
    if (this.#told.has(what)) return;
    this.#told.add(what);
    tell();
  }
}
