import type { Logger } from 'pino';
import type { Order } from '../../core/order/order.js';
import type { Reconciliation } from '../../core/order/reconciliation.js';

/** Logs what live trading finds, each finding once, so that an operator is not flooded. */
export class LiveLog {
  readonly #logged = new Set<string>();
  readonly #failing = new Set<string>();

  constructor(private readonly logger: Logger) {}

  /** The outcome of a reconciliation. */
  reconciled({ changed, external, contradictions, failures }: Reconciliation): void {
    if (changed > 0) this.logger.info({ orders: changed }, 'updated orders to the state that the venue reports');
    for (const { venue, venueOrderId, marketId } of external) {
      this.logger.error({ venue, venueOrderId, marketId }, 'the wallet has an order that was not placed here');
    }
    for (const { orderId, message } of contradictions) {
      this.#once(`${orderId} ${message}`, () =>
        this.logger.error({ order: orderId, reason: message }, 'the venue contradicts the record of an order'),
      );
    }
    for (const { order, error } of failures) {
      this.#once(`${order} failed`, () =>
        this.logger.error({ err: error, order }, 'could not reconcile an order with the venue; retrying'),
      );
    }
  }

  /** Orders in an unknown state: the venue may or may not have them. */
  unknown(orders: readonly Order[]): void {
    for (const { id, account, venueOrderId } of orders) {
      this.#once(`${id} unknown`, () =>
        this.logger.error({ order: id, account, venueOrderId }, 'it is not known yet whether the venue has an order'),
      );
    }
  }

  /** Something that is retried failed. It is logged again only after it has worked. */
  failed(what: string, error: unknown): void {
    if (this.#failing.has(what)) return;
    this.#failing.add(what);
    this.logger.error({ err: error }, `could not ${what}; retrying`);
  }

  /** It worked. */
  worked(what: string): void {
    if (this.#failing.delete(what)) this.logger.info(`could ${what} again`);
  }

  #once(what: string, log: () => void): void {
    if (this.#logged.has(what)) return;
    this.#logged.add(what);
    log();
  }
}
