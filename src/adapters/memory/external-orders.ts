import type { Page } from '../../core/ledger/query.js';
import type { ExternalOrder, ExternalOrders } from '../../ports/external-orders.js';

/** Keeps them in this process; if a call has the same order twice, the last one counts. */
export class MemoryExternalOrders implements ExternalOrders {
  readonly #known = new Map<string, ExternalOrder>();

  async recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]> {
    const received = new Map(orders.map((order) => [nameOf(order), order]));
    const added = [...received].filter(([name]) => !this.#known.has(name)).map(([, order]) => order);
    for (const [name, order] of received) {
      this.#known.set(name, { ...(this.#known.get(name) ?? order), resting: order.resting });
    }
    return added;
  }

  async listExternalOrders({ limit, after = '' }: Page<string>): Promise<readonly ExternalOrder[]> {
    const later = [...this.#known].filter(([, { venueOrderId }]) => venueOrderId > after);
    return later
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([, order]) => order);
  }
}

const nameOf = ({ venueOrderId, venue }: ExternalOrder): string => `${venueOrderId}\n${venue}`;
