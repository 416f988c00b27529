import type { Ledger } from '../../../ports/ledger.js';
import { OrderNotFound } from '../../errors.js';
import type { AccountId, OrderId } from '../../ids.js';
import { type OrderFilter, type Page, type Slice, slice } from '../../ledger/query.js';
import type { OrderEvent } from '../../order/event.js';
import type { Order } from '../../order/order.js';
import type { MarketFilters } from '../markets/market-filters.js';

/** Reads orders: one, many, or the history of one. */
export class ReadOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly markets: MarketFilters,
  ) {}

  /** @throws OrderNotFound */
  async one(account: AccountId, id: OrderId): Promise<Order> {
    const order = await this.ledger.findOrder(account, id);
    if (order === undefined) throw new OrderNotFound();
    return order;
  }

  /** Newest first, unless the filter says otherwise. @throws MarketNotFound, MarketDataUnavailable where the filter names a market that no order has */
  many(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<Slice<Order, OrderId>> {
    return this.markets.read(account, filter, page, (narrowed, part) =>
      slice(
        part,
        (asked) => this.ledger.listOrders(account, narrowed, asked),
        (order) => order.id,
      ),
    );
  }

  /** Every event, in the order in which they happened. @throws OrderNotFound */
  async events(account: AccountId, id: OrderId, page: Page<number>): Promise<Slice<OrderEvent, number>> {
    const found = await slice(
      page,
      (asked) => this.ledger.listEvents(account, id, asked),
      (event) => event.seq,
    );
    if (found.items.length === 0) await this.one(account, id);
    return found;
  }
}
