import type { ApiKey } from '../../core/access/api-key.js';
import type { AccountId, OrderId, StrategyId } from '../../core/ids.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import type { OrderFilter, Page, StrategyFilter } from '../../core/ledger/query.js';
import { WorkingSet } from '../../core/ledger/working-set.js';
import type { OrderEvent } from '../../core/order/event.js';
import { isInFlight, statusOf } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Ledger } from '../../ports/ledger.js';

/** Keeps everything in this process and forgets it with the process. Needs no lock: `decide` cannot await. */
export class MemoryLedger implements Ledger, KeyStore {
  readonly #set = new WorkingSet();

  async write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    return this.#set.decide(scope, decide);
  }

  async findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined> {
    const strategy = this.#set.strategies.get(id);
    return strategy?.account === account && strategy.archivedAt === null ? strategy : undefined;
  }

  async listStrategies(
    account: AccountId,
    filter: StrategyFilter,
    page: Page<StrategyId>,
  ): Promise<readonly Strategy[]> {
    const { sport, isPaused } = filter;
    const all = this.#set.strategies.all().filter((s) => s.account === account && s.archivedAt === null);
    const wanted = all.filter((s) => is(sport, s.sport) && is(isPaused, s.isPaused));
    return newestFirst(wanted, (s) => s.id, page);
  }

  async listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    const versions = this.#set.versions.filter((s) => s.id === id && s.account === account);
    return newestFirst(versions, (s) => s.version, page);
  }

  async findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    const order = this.#set.orders.get(id);
    return order?.account === account ? order : undefined;
  }

  async listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const own = this.#set.orders.all().filter((order) => order.account === account);
    return newestFirst(
      own.filter((order) => matches(order, filter)),
      (order) => order.id,
      page,
    );
  }

  async listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]> {
    const after = page.after ?? 0;
    const events = this.#set.events.filter((e) => e.orderId === id && e.account === account && e.seq > after);
    return events.slice(0, page.limit);
  }

  async listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    const all = this.#set.orders.all().filter(({ state }) => isInFlight(state) || state === 'unknown');
    const after = page.after;
    const later = after === undefined ? all : all.filter((order) => order.id > after);
    return later.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, page.limit);
  }

  async forgetExpiredRequests(now: Date): Promise<number> {
    const expired = this.#set.requests.all().filter((r) => r.expiresAt !== null && r.expiresAt <= now);
    for (const request of expired) this.#set.requests.drop(request);
    return expired.length;
  }

  async findKey(id: string): Promise<ApiKey | undefined> {
    return this.#set.keys.find((key) => key.id === id);
  }

  async listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return newestFirst(this.#set.keys, (key) => key.id, page);
  }

  async revokeKey(id: string, at: Date): Promise<ApiKey | undefined> {
    const index = this.#set.keys.findIndex((key) => key.id === id);
    const key = this.#set.keys[index];
    if (key === undefined || key.revokedAt !== null) return key;
    this.#set.keys[index] = { ...key, revokedAt: at };
    return this.#set.keys[index];
  }

  async ping(): Promise<void> {}
}

function newestFirst<T, Key extends string | number>(all: readonly T[], keyOf: (item: T) => Key, page: Page<Key>): T[] {
  const { after, limit } = page;
  const older = after === undefined ? [...all] : all.filter((item) => keyOf(item) < after);
  return older.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1)).slice(0, limit);
}

function is<T>(wanted: T | undefined, actual: T): boolean {
  return wanted === undefined || wanted === actual;
}

function matches(order: Order, filter: OrderFilter): boolean {
  const { intent, placedAt } = order;
  return (
    is(filter.status, statusOf(order)) &&
    is(filter.marketId, intent.marketId) &&
    is(filter.strategyId, intent.strategy?.id) &&
    is(filter.paper, intent.paper) &&
    (filter.placedAfter === undefined || placedAt > filter.placedAfter) &&
    (filter.placedBefore === undefined || placedAt < filter.placedBefore)
  );
}
