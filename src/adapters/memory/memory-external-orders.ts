import type { Page } from '../../core/ledger/query.js';
import type { ExternalOrder, ExternalOrderCursor, ExternalOrders } from '../../ports/external-orders.js';
import { inOrder } from './pages.js';

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

  async listExternalOrders({ limit, after }: Page<ExternalOrderCursor>): Promise<readonly ExternalOrder[]> {
    return inOrder([...this.#known.values()], nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }
}

const nameOf = ({ venueOrderId, venue }: ExternalOrderCursor): string => `${venueOrderId}\n${venue}`;
