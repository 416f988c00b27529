import type { Ledger } from '../../../ports/ledger.js';
import type { OrderId } from '../../ids.js';
import { type Page, type PositionCursor, slices, whole } from '../../ledger/query.js';
import { HoldingSearch } from '../../order/holding-search.js';
import type { Order } from '../../order/order.js';
import type { Strategy } from '../../strategy/strategy.js';
import { type HeldPart, type HeldPosition, partKey } from './exit-orders.js';

/** How many events of an order are read to find its first fill. */
const FIRST_EVENTS = 20;

type Reads = Pick<Ledger, 'read' | 'listPositions' | 'listOrders' | 'listEvents'>;

/** Reads what strategies hold, and since when. */
export class ReadHoldings {
  constructor(private readonly ledger: Reads) {}

  /** Every outcome of which the strategy holds shares, on paper and with real money. @throws StorageUnavailable */
  async all(strategy: Strategy): Promise<readonly HeldPart[]> {
    const { account, id: strategyId } = strategy;
    const held = await Promise.all(
      [true, false].map((paper) =>
        whole(
          (page: Page<PositionCursor>) => this.ledger.listPositions(account, { paper, strategyId }, page),
          (position) => position,
        ),
      ),
    );
    const open = held.flat().filter(({ shares }) => shares > 0n);
    return open.map(({ paper, venue, marketId, outcome }) => ({ strategy, paper, venue, marketId, outcome }));
  }

  /** Null where it holds nothing. @throws StorageUnavailable */
  async one(part: HeldPart): Promise<HeldPosition | null> {
    const { strategy } = part;
    const key = partKey(part);
    const held = await this.ledger.read({ account: strategy.account, positions: [key] }, (now) => now.position(key));
    if (held === undefined || held.shares === 0n) return null;
    const search = new HoldingSearch(held.shares);
    await this.#search(part, search);
    const { tries, lastTryAt, isSelling, begun } = search;
    const since = begun === null ? strategy.createdAt : await this.#firstFill(begun);
    const { shares, cost, heldFees } = held;
    return { ...part, shares, cost, heldFees, since, tries, lastTryAt, isSelling };
  }

  async #search({ strategy, paper, venue, marketId, outcome }: HeldPart, search: HoldingSearch): Promise<void> {
    const filter = { strategyId: strategy.id, marketId, venue, paper };
    const read = (page: Page<OrderId>) => this.ledger.listOrders(strategy.account, filter, page);
    for await (const orders of slices(read, ({ id }) => id)) {
      const own = orders.filter(({ intent }) => intent.outcome === outcome);
      if (!own.every((order) => search.see(order))) return;
    }
  }

  async #firstFill({ account, id, placedAt }: Order): Promise<Date> {
    const events = await this.ledger.listEvents(account, id, { limit: FIRST_EVENTS });
    return events.find(({ change }) => change.type === 'fill')?.at ?? placedAt;
  }
}
