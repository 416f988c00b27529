import type { Balance, CashKey, JournalEntry } from '../core/account/account.js';
import type { EquityPoint } from '../core/account/portfolio.js';
import type { HoldingFilter, Position } from '../core/account/position.js';
import type { AccountId, MarketId, OrderId, StrategyId, VenueName } from '../core/ids.js';
import type { Decision, Scope, Snapshot } from '../core/ledger/decision.js';
import type { DecisionNews } from '../core/ledger/event-log.js';
import type {
  AccountFilter,
  AutomatedCursor,
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
import type { MarketRef } from '../core/market/market.js';
import type { OrderEvent } from '../core/order/event.js';
import type { Order } from '../core/order/order.js';
import type { Strategy } from '../core/strategy/strategy.js';
import type { ApprovalStore } from './approval-store.js';
import type { BetStore } from './bet-store.js';
import type { DecisionLog } from './decision-log.js';
import type { EndpointStore } from './endpoint-store.js';
import type { EventLog } from './event-log.js';
import type { ExternalOrders } from './external-orders.js';
import type { FirstPrices } from './first-prices.js';
import type { KeyStore } from './key-store.js';
import type { JobQueue, Leasing } from './leases.js';
import type { PriceHistory } from './price-history.js';
import type { SessionKeeping } from './session-store.js';
import type { SignalStore } from './signals.js';

/** Where everything is stored. Each write and read names its owner; records of another account do not exist for it. */
export interface Ledger {
  /** The events of every account, added by `write` for whatever a decision changes. */
  readonly log: EventLog;
  /** What models say of markets; written by itself, not by `write`. */
  readonly signals: SignalStore;
  /** What bets became of orders; made from the log, and written by itself. */
  readonly bets: BetStore;
  /** What strategies decided. */
  readonly decisions: DecisionLog;
  /** At which prices strategies first saw what they would buy. */
  readonly firstPrices: FirstPrices;
  /** What markets were worth, by the minute. */
  readonly prices: PriceHistory;
  /** Bets that wait for a person. */
  readonly approvals: ApprovalStore;
  /** Where events are sent to, and how far that has come. */
  readonly endpoints: EndpointStore;

  /**
   * Locks what `scope` names, calls `decide` on it, and stores all that it returns, or nothing when it throws. `decide` is
   * pure and synchronous, and may run again after a conflict. Resolves once the decision is durable.
   * @throws what `decide` throws; StorageUnavailable when the store cannot answer.
   */
  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T>;
  /**
   * Calls `look` on what `scope` names, all as of one moment: everything that was durable at the call, and nothing else.
   * Takes no locks, waits for no writer, and stores nothing. @throws what `look` throws; StorageUnavailable
   */
  read<T>(scope: Scope, look: (now: Snapshot) => T): Promise<T>;

  /** Undefined when absent, archived, or another account's. */
  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined>;
  /** Strategies that are not archived, newest first. */
  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]>;
  /** Every version, archived ones too, newest first; `page.after` is a version number. */
  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]>;

  /**
   * Strategies of all accounts, by account and id. Without `since`, those that trade by themselves or ask for approval; with it, those of
   * which a version was made at that moment or later, whatever they are now.
   */
  listAutomated(since: Date | null, page: Page<AutomatedCursor>): Promise<readonly Strategy[]>;

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined>;
  /** Newest first, or oldest first where the filter says so: by id, or by when they were placed where the filter restricts that. */
  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]>;
  /** The market that had this slug when the account ordered there; the newest such order counts, of the account's last 10,000. */
  findMarketBySlug(account: AccountId, slug: string): Promise<MarketId | undefined>;
  /** In the order in which they happened; `page.after` is a sequence number. */
  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]>;

  /** Orders of all accounts that no venue has answered yet, oldest first: those that a restart must recover. */
  listInFlight(page: Page<OrderId>): Promise<readonly Order[]>;
  /** Live orders of all accounts that have these identities at the venue, unordered; at most 500 identities. */
  listByVenueOrderId(venue: VenueName, venueOrderIds: readonly string[]): Promise<readonly Order[]>;
  /** Orders of all accounts, oldest first: for a venue or an audit. */
  listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]>;
  /** Orders of all accounts in one market, by account, oldest first: for its settlement. */
  listMarketOrders(filter: MarketOrderFilter, page: Page<MarketOrderCursor>): Promise<readonly Order[]>;
  /** Markets, by venue and id, in which some order is working, has fills without a result, or was settled at or after the moment. */
  listMarketsInUse(settledFrom: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]>;

  /** Names, in order: of accounts with any record, with live trading allowed, or with an API key. */
  listAccounts(filter: AccountFilter, page: Page<AccountId>): Promise<readonly AccountId[]>;
  findBalance(account: AccountId, cash: CashKey): Promise<Balance | undefined>;
  /** Balances of all accounts. */
  listBalances(page: Page<BalanceCursor>): Promise<readonly Balance[]>;
  /** Those without shares too: they keep what was realised. */
  listPositions(account: AccountId, filter: HoldingFilter, page: Page<PositionCursor>): Promise<readonly Position[]>;
  /** Positions of all accounts that results with real money paid and that are not redeemed yet. */
  listRedeemable(page: Page<RedeemableCursor>): Promise<readonly Position[]>;
  /** In the order in which they were made; `page.after` is an entry's id. */
  listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]>;
  /** Newest first, `page.after` is the moment of a point. */
  listEquity(account: AccountId, filter: HoldingFilter, page: Page<Date>): Promise<readonly EquityPoint[]>;

  /** Deletes idempotency records that expired before `now`, and returns how many. */
  forgetExpiredRequests(now: Date): Promise<number>;
  /** Resolves when the store can read and write. @throws StorageUnavailable */
  ping(): Promise<void>;
}

/** What went wrong at a database, as reported to `StoreWatch`. */
export type DatabaseErrorKind = 'conflict' | 'refused' | 'unavailable' | 'broken';

/** Observes what a store does, for metrics and the log. Nothing waits for it, and no method may throw. */
export interface StoreWatch {
  /** What a write decided is durable. */
  stored(news: DecisionNews): void;
  /** A write has ended: something may be on record that was not before. */
  written(): void;
  /** So many writes were committed together, in so many milliseconds; only a database has such groups. */
  committed(writes: number, ms: number): void;
  /** A statement or a group of writes failed. After a `conflict` it is repeated. */
  failed(kind: DatabaseErrorKind): void;
}

/** Everything that a server keeps, in one place. */
export interface WholeStore extends Ledger, KeyStore, JobQueue, Bookmarks, ExternalOrders, Leasing, SessionKeeping {}

/** Remembers how far a background task has come, so that it goes on from there after a restart. */
export interface Bookmarks {
  /** Undefined when none was ever set under the name. @throws StorageUnavailable */
  findBookmark(name: string): Promise<Date | undefined>;
  /** The last one set counts. Resolves once it is durable. @throws StorageUnavailable */
  setBookmark(name: string, at: Date): Promise<void>;
}
