import type { AccountId, OrderId, StrategyId } from '../core/ids.js';
import type { Decision, Scope, Snapshot } from '../core/ledger/decision.js';
import type { OrderFilter, Page, StrategyFilter } from '../core/ledger/query.js';
import type { OrderEvent } from '../core/order/event.js';
import type { Order } from '../core/order/order.js';
import type { Strategy } from '../core/strategy/strategy.js';

/** Where everything is kept. Each write and read names its owner; what belongs to another account does not exist. */
export interface Ledger {
  /**
   * Locks what `scope` names, lets `decide` look, and stores all that it returns, or nothing when it throws.
   * `decide` is pure and synchronous, and may run again after a conflict. Resolves once the decision is durable.
   * @throws what `decide` throws; StorageUnavailable when the store cannot answer.
   */
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T>;

  /** Undefined when absent, archived, or somebody else's. */
  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined>;
  /** Strategies that are not archived, newest first. */
  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]>;
  /** Every version, archived ones too, newest first; `page.after` is a version number. */
  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]>;

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined>;
  /** Newest first. */
  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]>;
  /** In the order in which they happened; `page.after` is a sequence number. */
  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]>;

  /** Orders of all accounts that no venue has answered yet, oldest first: what a restart must look after. */
  listInFlight(page: Page<OrderId>): Promise<readonly Order[]>;
  /** Drops idempotency records that expired before `now`, and tells how many. */
  forgetExpiredRequests(now: Date): Promise<number>;
  /** Resolves when the store can read and write. @throws StorageUnavailable */
  ping(): Promise<void>;
}
