import type { ApiKey } from '../../core/access/api-key.js';
import type { AccountId, MarketId, OrderId, StrategyId, VenueName } from '../../core/ids.js';
import {
  type AutomatedCursor,
  type MarketOrderCursor,
  type MarketOrderFilter,
  ORDERS_SEARCHED_FOR_SLUG,
  type OrderFilter,
  type Page,
  type StrategyFilter,
  type VenueOrderFilter,
} from '../../core/ledger/query.js';
import type { MarketRef } from '../../core/market/market.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { API_KEYS } from './account-table.js';
import { momentIn } from './columns.js';
import { Lookup } from './lookup.js';
import { marketsInUse, UNSETTLED, WORKING } from './markets-in-use.js';
import { OrderLists } from './order-lists.js';
import { EVENTS, ORDERS, VENUE_ORDERS } from './order-table.js';
import { comparable, RowReader } from './row-reader.js';
import type { Store } from './store.js';
import { STRATEGIES, VERSIONS } from './strategy-table.js';

/** The reads of the ledger. Each is one statement, so that a record and its parts are consistent. */
export class Queries {
  readonly #rows: RowReader;
  readonly #strategies: Lookup<Strategy>;
  readonly #orders: Lookup<Order>;
  readonly #keys: Lookup<ApiKey>;
  readonly #orderLists: OrderLists;

  constructor(private readonly store: Store) {
    this.#rows = new RowReader(store);
    this.#strategies = new Lookup(STRATEGIES, store, store.reads);
    this.#orders = new Lookup(ORDERS, store, store.reads);
    this.#keys = new Lookup(API_KEYS, store, store.credentialReads);
    this.#orderLists = new OrderLists(store);
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

  listAutomated(since: Date | null, { limit, after }: Page<AutomatedCursor>): Promise<readonly Strategy[]> {
    return this.#rows.all(STRATEGIES, (q) => {
      q.orderBy(['account', 'id']).limit(limit);
      // Spelt as in their indexes.
      if (since === null) q.whereRaw("automation <> 'off'").whereNull('archived_at');
      else q.where('updated_at', '>=', comparable(since));
      if (after !== undefined) q.whereRaw('(account, id) > (?, ?)', [after.account, after.id]);
    });
  }

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    return this.#orders.find(account, id);
  }

  async listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { placedAfter, placedBefore } = filter;
    if (placedAfter === undefined && placedBefore === undefined) return this.#orderLists.byId(account, filter, page);
    const { limit, after } = page;
    const last = after === undefined ? undefined : await this.findOrder(account, after);
    if (after !== undefined && last === undefined) return [];
    return this.#orderLists.byMoment(account, filter, limit, last);
  }

  async findMarketBySlug(account: AccountId, slug: string): Promise<MarketId | undefined> {
    const { reader } = this.store;
    const newest = reader(ORDERS.name)
      .select('id', 'market_id', 'market_slug')
      .where({ account })
      .orderBy('id', 'desc')
      .limit(ORDERS_SEARCHED_FOR_SLUG);
    const found = reader.from(newest.as('newest')).where({ market_slug: slug }).orderBy('id', 'desc');
    return (await found.first<{ market_id: MarketId } | undefined>('market_id'))?.market_id;
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
      if (page.after !== undefined)
        q.whereRaw('(market_id, account, id) > (?, ?, ?)', [marketId, page.after.account, page.after.id]);
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
