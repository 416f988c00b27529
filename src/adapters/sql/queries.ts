import type { ApiKey } from '../../core/access/api-key.js';
import type { AccountId, MarketId, OrderId, StrategyId } from '../../core/ids.js';
import type { OrderFilter, Page, StrategyFilter, VenueOrderFilter } from '../../core/ledger/query.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { moment } from './cells.js';
import { marketsInUse, UNSETTLED, WORKING } from './markets-in-use.js';
import { comparable, RowReader } from './row-reader.js';
import { API_KEYS } from './rows-account.js';
import { EVENTS, ORDERS } from './rows-order.js';
import { STRATEGIES, VERSIONS } from './rows-strategy.js';
import type { Store } from './store.js';

const LIVE_AT_VENUE = 'paper = false and venue_order_id is not null';

/** The reads of the ledger. Each is one statement, so that a record and its parts are of one moment. */
export class Queries {
  readonly #rows: RowReader;

  constructor(private readonly store: Store) {
    this.#rows = new RowReader(store);
  }

  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined> {
    return this.#rows.first(STRATEGIES, (q) => q.where({ account, id }).whereNull('archived_at'));
  }

  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]> {
    const { sport, isPaused } = filter;
    return this.#rows.newestFirst(STRATEGIES, 'id', page, (q) => {
      q.where({ account }).whereNull('archived_at');
      if (sport !== undefined) q.where({ sport });
      if (isPaused !== undefined) q.where({ is_paused: isPaused });
    });
  }

  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    return this.#rows.newestFirst(VERSIONS, 'version', page, (q) => q.where({ account, id }));
  }

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    return this.#rows.first(ORDERS, (q) => q.where({ account, id }));
  }

  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { status, marketId, strategyId, paper, placedAfter, placedBefore } = filter;
    return this.#rows.newestFirst(ORDERS, 'id', page, (q) => {
      q.where({ account });
      if (status !== undefined) q.where({ status });
      if (marketId !== undefined) q.where({ market_id: marketId });
      if (strategyId !== undefined) q.where({ strategy_id: strategyId });
      if (paper !== undefined) q.where({ paper });
      if (placedAfter !== undefined) q.where('placed_at', '>', comparable(placedAfter));
      if (placedBefore !== undefined) q.where('placed_at', '<', comparable(placedBefore));
    });
  }

  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]> {
    return this.#rows.oldestFirst(EVENTS, 'seq', page, (q) => q.where({ account, order_id: id }));
  }

  listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    // Spelt as in the partial index, which is found by its text.
    return this.#rows.oldestFirst(ORDERS, 'id', page, (q) =>
      q.whereRaw(`state in ('pending', 'submitting', 'unknown')`),
    );
  }

  listByVenueOrderId(venueOrderIds: readonly string[]): Promise<readonly Order[]> {
    // The index of live orders is found by its condition.
    return this.#rows.all(ORDERS, (q) => q.whereRaw(LIVE_AT_VENUE).whereIn('venue_order_id', venueOrderIds));
  }

  listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { paper, marketId, working, unsettled, placedFrom } = filter;
    return this.#rows.oldestFirst(ORDERS, 'id', page, (q) => {
      if (paper !== undefined) q.where({ paper });
      if (marketId !== undefined) q.where({ market_id: marketId });
      if (working) q.whereRaw(WORKING);
      if (unsettled) q.whereRaw(UNSETTLED);
      if (placedFrom !== undefined) q.where('placed_at', '>=', comparable(placedFrom));
    });
  }

  listMarketsInUse(settledFrom: Date, page: Page<MarketId>): Promise<readonly MarketId[]> {
    return marketsInUse(this.store, settledFrom, page);
  }

  async findBookmark(name: string): Promise<Date | undefined> {
    const found = await this.store.reader('bookmarks').where({ name }).first<{ at: string } | undefined>('at');
    return found === undefined ? undefined : moment(found.at);
  }

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#rows.first(API_KEYS, (q) => q.where({ id }));
  }

  listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return this.#rows.newestFirst(API_KEYS, 'id', page, () => {});
  }
}
