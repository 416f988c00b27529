import type { Balance, CashKey } from '../core/account/account.js';
import type { EquityPoint } from '../core/account/equity.js';
import type { JournalEntry } from '../core/account/journal.js';
import type { HoldingFilter, Position } from '../core/account/position.js';
import type { AccountId, OrderId, StrategyId, VenueName } from '../core/ids.js';
import type { Decision, Scope, Snapshot } from '../core/ledger/decision.js';
import type {
  AccountFilter,
  BalanceCursor,
  MarketOrderCursor,
  MarketOrderFilter,
  OrderFilter,
  Page,
  PositionCursor,
  RedeemableCursor,
  StrategyFilter,
  VenueOrderFilter,
} from '../core/ledger/query.js';
import type { MarketRef } from '../core/market/venue.js';
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
  /**
   * Lets `look` see what `scope` names, all of one moment: everything that was durable when it was asked for, and nothing else. Keeps
   * nobody out, waits for no writer, and puts nothing on record. @throws what `look` throws; StorageUnavailable
   */
  read<T>(scope: Scope, look: (now: Snapshot) => T): Promise<T>;

  /** Undefined when absent, archived, or somebody else's. */
  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined>;
  /** Strategies that are not archived, newest first. */
  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]>;
  /** Every version, archived ones too, newest first; `page.after` is a version number. */
  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]>;

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined>;
  /** Newest first: by id, or by when they were placed where the filter asks for that. */
  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]>;
  /** In the order in which they happened; `page.after` is a sequence number. */
  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]>;

  /** Orders of all accounts that no venue has answered yet, oldest first: what a restart must look after. */
  listInFlight(page: Page<OrderId>): Promise<readonly Order[]>;
  /** Orders with real money of all accounts that have these identities at the venue, in no order; at most 500 are asked for. */
  listByVenueOrderId(venue: VenueName, venueOrderIds: readonly string[]): Promise<readonly Order[]>;
  /** Orders of all accounts, oldest first: what a venue or an audit has to look at. */
  listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]>;
  /** Orders of all accounts in one market, by account, oldest first: what its settlement has to look at. */
  listMarketOrders(filter: MarketOrderFilter, page: Page<MarketOrderCursor>): Promise<readonly Order[]>;
  /** Markets, by venue and id, in which some order is working, has fills without a result, or was settled at or after the moment. */
  listMarketsInUse(settledFrom: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]>;

  /** Names, in order: of who has written anything, was told to trade with real money, or has an API key. */
  listAccounts(filter: AccountFilter, page: Page<AccountId>): Promise<readonly AccountId[]>;
  findBalance(account: AccountId, cash: CashKey): Promise<Balance | undefined>;
  /** Of all accounts. */
  listBalances(page: Page<BalanceCursor>): Promise<readonly Balance[]>;
  /** Those without shares too: they keep what was realised. */
  listPositions(account: AccountId, filter: HoldingFilter, page: Page<PositionCursor>): Promise<readonly Position[]>;
  /** Positions of all accounts that results with real money paid and nobody redeemed yet. */
  listRedeemable(page: Page<RedeemableCursor>): Promise<readonly Position[]>;
  /** In the order in which they were made; `page.after` is an entry's id. */
  listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]>;
  /** Newest first, `page.after` is the moment of a point. */
  listEquity(account: AccountId, filter: HoldingFilter, page: Page<Date>): Promise<readonly EquityPoint[]>;

  /** Drops idempotency records that expired before `now`, and tells how many. */
  forgetExpiredRequests(now: Date): Promise<number>;
  /** Resolves when the store can read and write. @throws StorageUnavailable */
  ping(): Promise<void>;
}
