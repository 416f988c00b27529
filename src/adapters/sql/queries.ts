import type { Knex } from 'knex';
import type { ApiKey } from '../../core/access/api-key.js';
import type { AccountId, OrderId, StrategyId } from '../../core/ids.js';
import type { OrderFilter, Page, StrategyFilter } from '../../core/ledger/query.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import { rowIn } from './cells.js';
import { API_KEYS } from './rows-account.js';
import { EVENTS, ORDERS } from './rows-order.js';
import { STRATEGIES, VERSIONS } from './rows-strategy.js';
import type { Store } from './store.js';
import { rowOf, type Table } from './tables.js';

/** The reads of the ledger. Each is one statement, so that a record and its parts are of one moment. */
export class Queries {
  constructor(private readonly store: Store) {}

  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined> {
    return this.#first(STRATEGIES, (q) => q.where({ account, id }).whereNull('archived_at'));
  }

  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]> {
    const { sport, isPaused } = filter;
    return this.#newestFirst(STRATEGIES, 'id', page, (q) => {
      q.where({ account }).whereNull('archived_at');
      if (sport !== undefined) q.where({ sport });
      if (isPaused !== undefined) q.where({ is_paused: isPaused });
    });
  }

  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    return this.#newestFirst(VERSIONS, 'version', page, (q) => q.where({ account, id }));
  }

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    return this.#first(ORDERS, (q) => q.where({ account, id }));
  }

  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const { status, marketId, strategyId, paper, placedAfter, placedBefore } = filter;
    return this.#newestFirst(ORDERS, 'id', page, (q) => {
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
    return this.#all(EVENTS, (q) => {
      q.where({ account, order_id: id }).orderBy('seq').limit(page.limit);
      if (page.after !== undefined) q.where('seq', '>', page.after);
    });
  }

  listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    return this.#all(ORDERS, (q) => {
      // Spelt as in the partial index, which is found by its text.
      q.whereRaw(`state in ('pending', 'submitting', 'unknown')`).orderBy('id').limit(page.limit);
      if (page.after !== undefined) q.where('id', '>', page.after);
    });
  }

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#first(API_KEYS, (q) => q.where({ id }));
  }

  listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return this.#newestFirst(API_KEYS, 'id', page, () => {});
  }

  #newestFirst<T>(table: Table<T>, key: string, page: Page<string | number>, narrow: Narrow): Promise<readonly T[]> {
    return this.#all(table, (q) => {
      narrow(q);
      q.orderBy(key, 'desc').limit(page.limit);
      if (page.after !== undefined) q.where(key, '<', page.after);
    });
  }

  async #first<T>(table: Table<T>, narrow: Narrow): Promise<T | undefined> {
    const [found] = await this.#all(table, narrow);
    return found;
  }

  async #all<T>(table: Table<T>, narrow: Narrow): Promise<readonly T[]> {
    const { reader, dialect } = this.store;
    const query = reader(table.name).select<{ cells: string }[]>(reader.raw(`${rowOf(table, dialect)} as cells`));
    narrow(query);
    return (await query).map(({ cells }) => table.decode(rowIn(cells)));
  }
}

type Narrow = (query: Knex.QueryBuilder) => void;

const LATEST = '9999-12-31T23:59:59.999Z';

/** A moment as text that compares with stored ones: years of five digits begin with a plus, which is below all digits. */
function comparable(moment: Date): string {
  const text = moment.toISOString();
  return text.startsWith('+') ? LATEST : text;
}
