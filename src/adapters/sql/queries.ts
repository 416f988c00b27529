import type { ApiKey } from '../../core/access/api-key.js';
import type { AccountId, OrderId, StrategyId, VenueName } from '../../core/ids.js';
import type {
  MarketOrderCursor,
  MarketOrderFilter,
  OrderFilter,
  Page,
  StrategyFilter,
  VenueOrderFilter,
} from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/venue.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { API_KEYS } from './account-table.js';
import { momentIn } from './cells.js';
import { Lookup } from './lookup.js';
import { marketsInUse, UNSETTLED, WORKING } from './markets-in-use.js';
import { EVENTS, ORDERS, VENUE_ORDERS } from './order-table.js';
import { comparable, type Narrow, RowReader } from './row-reader.js';
import type { Store } from './store.js';
import { STRATEGIES, VERSIONS } from './strategy-table.js';

/** The reads of the ledger. Each is one statement, so that a record and its parts are consistent. */
export class Queries {
  readonly #rows: RowReader;
  readonly #strategies: Lookup<Strategy>;
  readonly #orders: Lookup<Order>;
  readonly #keys: Lookup<ApiKey>;

  constructor(private readonly store: Store) {
    this.#rows = new RowReader(store);
    this.#strategies = new Lookup(STRATEGIES, store, store.reads);
    this.#orders = new Lookup(ORDERS, store, store.reads);
    this.#keys = new Lookup(API_KEYS, store, store.credentialReads);
  }

  async findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined> {
    const found = await this.#strategies.find(account, id);
    return found?.archivedAt === null ? found : undefined;
  }

  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]> {
    const { sport, isPaused } = filter;
    return this.#rows.newestFirst(STRATEGIES, 'id', page, (q) => {
      q.where({ account }).whereNull('archived_at');
      if (sport !== undefined) q.where({ sport });
      // Spelt as in their partial indexes.
      if (isPaused === true) q.whereRaw('is_paused');
      if (isPaused === false) q.whereRaw('not is_paused');
    });
  }

  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    return this.#rows.newestFirst(VERSIONS, 'version', page, (q) => q.where({ account, id }));
  }

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    return this.#orders.find(account, id);
  }

  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { placedAfter, placedBefore, ...members } = filter;
    if (placedAfter !== undefined || placedBefore !== undefined) return this.#ordersByMoment(account, filter, page);
    return this.#rows.newestFirst(ORDERS, 'id', page, narrowOrders(account, members));
  }

  /** In the order of placement: orders outside of the requested period are not read. */
  async #ordersByMoment(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { placedAfter, placedBefore, ...members } = filter;
    const { limit, after } = page;
    const last = after === undefined ? undefined : await this.findOrder(account, after);
    if (after !== undefined && last === undefined) return [];
    return this.#rows.all(ORDERS, (q) => {
      narrowOrders(account, members)(q);
      // As in its partial index; true of every order.
      q.whereRaw('price > 0');
      if (placedAfter !== undefined) q.where('placed_at', '>', comparable(placedAfter));
      // One upper bound, the lower of the two: SQLite would search by the first, and filter by the other.
      if (placedBefore !== undefined && (last === undefined || placedBefore <= last.placedAt))
        q.where('placed_at', '<', comparable(placedBefore));
      else if (last !== undefined) q.whereRaw('(placed_at, id) < (?, ?)', [comparable(last.placedAt), last.id]);
      q.orderBy([
        { column: 'placed_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]).limit(limit);
    });
  }

  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]> {
    return this.#rows.oldestFirst(EVENTS, 'seq', page, (q) => q.where({ account, order_id: id }));
  }

  listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    // Spelt as in the partial index, which is matched by text.
    return this.#rows.oldestFirst(ORDERS, 'id', page, (q) =>
      q.whereRaw(`state in ('pending', 'submitting', 'unknown')`),
    );
  }

  listByVenueOrderId(venue: VenueName, venueOrderIds: readonly string[]): Promise<readonly Order[]> {
    return this.#rows.all(ORDERS, (q) =>
      q.whereIn(['account', 'id'], (named) =>
        named
          .select('account', 'order_id')
          .from(VENUE_ORDERS.name)
          .where({ venue })
          .whereIn('venue_order_id', venueOrderIds),
      ),
    );
  }

  listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { paper, venue, working, unsettled, placedFrom } = filter;
    return this.#rows.oldestFirst(ORDERS, 'id', page, (q) => {
      if (paper !== undefined) q.where({ paper });
      if (venue !== undefined) q.where({ venue });
      if (working) q.whereRaw(WORKING);
      if (unsettled) q.whereRaw(UNSETTLED);
      if (placedFrom !== undefined) q.where('placed_at', '>=', comparable(placedFrom));
    });
  }

  listMarketOrders(filter: MarketOrderFilter, page: Page<MarketOrderCursor>): Promise<readonly Order[]> {
    const { venue, marketId, paper, working } = filter;
    return this.#rows.all(ORDERS, (q) => {
      q.where({ market_id: marketId, venue }).orderBy(['account', 'id']).limit(page.limit);
      if (paper !== undefined) q.where({ paper });
      if (working) q.whereRaw(WORKING);
      if (page.after !== undefined) q.whereRaw('(account, id) > (?, ?)', [page.after.account, page.after.id]);
    });
  }

  listMarketsInUse(settledFrom: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]> {
    return marketsInUse(this.store, settledFrom, page);
  }

  async findBookmark(name: string): Promise<Date | undefined> {
    const found = await this.store.reader('bookmarks').where({ name }).first<{ at: string } | undefined>('at');
    return found === undefined ? undefined : momentIn(found.at);
  }

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#keys.find(id);
  }

  listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return this.#rows.newestFirst(API_KEYS, 'id', page, () => {});
  }
}

function narrowOrders(account: AccountId, { status, marketId, venue, strategyId, paper }: OrderFilter): Narrow {
  return (q) => {
    q.where({ account });
    if (status !== undefined) q.where({ status });
    if (marketId !== undefined) q.where({ market_id: marketId });
    if (venue !== undefined) q.where({ venue });
    if (strategyId !== undefined) q.where({ strategy_id: strategyId });
    // Spelt as in their partial indexes, which are matched by text.
    if (paper === true) q.whereRaw('paper');
    if (paper === false) q.whereRaw('not paper');
  };
}
