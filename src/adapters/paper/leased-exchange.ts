import { PaperElsewhere } from '../../core/errors.js';
import type { Order } from '../../core/order/order.js';
import type { CancelResult, Exchange, LocalVenue, OrderStatusReport, PlaceResult } from '../../ports/exchange.js';
import { PAPER } from './answers.js';

/**
 * The paper exchange of one server among several on one database: that of its present lease, and none without a lease. Each
 * lease gets a new exchange, so that no state of an earlier one survives.
 *
 * @example
 * ```ts
 * import { LeasedExchange, PaperExchange } from 'stakeport/memory';
 *
 * const exchange = new LeasedExchange();
 * exchange.use(new PaperExchange());
 * ```
 */
export class LeasedExchange implements Exchange {
  readonly venue = PAPER;
  readonly local: LocalVenue;
  readonly signing = null;
  #current: Exchange | null = null;

  constructor() {
    this.local = {
      lease: () => this.#current?.local?.lease() ?? null,
      arrival: (sent) => this.#current?.local?.arrival(sent) ?? null,
      prepare: async (market) => this.#current?.local?.prepare(market),
      quoted: (of, outcome) => this.#current?.local?.quoted?.(of, outcome) ?? null,
      decide: (order) => this.#current?.local?.decide(order) ?? null,
    };
  }

  /** Orders go to this exchange from now on; to none with null. */
  use(exchange: Exchange | null): void {
    this.#current = exchange;
  }

  closedForMs(): null {
    return null;
  }

  async place(...asked: Parameters<Exchange['place']>): Promise<PlaceResult> {
    return this.#exchange.place(...asked);
  }

  async cancel(order: Order): Promise<CancelResult> {
    return this.#exchange.cancel(order);
  }

  async find(order: Order): Promise<OrderStatusReport> {
    return this.#exchange.find(order);
  }

  get #exchange(): Exchange {
    if (this.#current === null) throw new PaperElsewhere();
    return this.#current;
  }
}
