import type { ApiKey } from '../../core/access/api-key.js';
import type { Balance, CashKey, JournalEntry } from '../../core/account/account.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { HoldingFilter, Position } from '../../core/account/position.js';
import type { AccountId, MarketId, OrderId, StrategyId, VenueName } from '../../core/ids.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import type { Job } from '../../core/ledger/job.js';
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
} from '../../core/ledger/query.js';
import { revocationOf, revoked } from '../../core/ledger/revocation.js';
import type { MarketRef } from '../../core/market/market.js';
import type { OrderEvent } from '../../core/order/event.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import type { ExternalOrder, ExternalOrderCursor } from '../../ports/external-orders.js';
import type { WholeStore } from '../../ports/ledger.js';
import { GroupCommit, type GroupLimits } from './group-commit.js';
import type { LedgerTerms } from './ledger-terms.js';
import { LogWatch } from './log-watch.js';
import { Queries } from './queries.js';
import { RecentHistories } from './recent-histories.js';
import { SnapshotReader } from './snapshot-reader.js';
import { SqlBets } from './sql-bets.js';
import { SqlEndpoints } from './sql-endpoints.js';
import { SqlEventLog, type StoreAccess } from './sql-event-log.js';
import { SqlLeases } from './sql-leases.js';
import { SqlApprovals, SqlDecisions, SqlFirstPrices, SqlSessions } from './sql-lists.js';
import { SqlPrices } from './sql-prices.js';
import { SqlSignals } from './sql-signals.js';
import type { Store } from './store.js';
import { storeAccess } from './store-access.js';
import {
  claimJobs,
  forgetRequests,
  listAccounts,
  listExternalOrders,
  MoneyQueries,
  recordExternalOrders,
  setBookmark,
} from './store-queries.js';

/** Keeps everything in SQLite or Postgres. */
export class SqlLedger implements WholeStore {
  readonly leases: WholeStore['leases'];
  readonly log: WholeStore['log'];
  readonly signals: WholeStore['signals'];
  readonly bets: WholeStore['bets'];
  readonly decisions: WholeStore['decisions'];
  readonly approvals: WholeStore['approvals'];
  readonly firstPrices: WholeStore['firstPrices'];
  readonly prices: WholeStore['prices'];
  readonly sessions: WholeStore['sessions'];
  /** Resolves with the reason once only a restart of the process can help, as for a DatabaseGone. */
  readonly lost: Promise<unknown>;
  /** How many accounts, one time or another, another process had written since they were read. */
  readonly collisions: () => number;
  /** How many writes wait to be committed. */
  readonly waiting: () => number;
  readonly endpoints: WholeStore['endpoints'];
  readonly #commits: GroupCommit;
  readonly #queries: Queries;
  readonly #money: MoneyQueries;
  readonly #signals: SqlSignals;
  readonly #watch: LogWatch;
  readonly #snapshots: SnapshotReader;
  readonly #judged: StoreAccess['read'];
  readonly #wrote: StoreAccess['write'];

  constructor(
    private readonly store: Store,
    limits: GroupLimits,
    /** Where the file was copied to before its migration; null where it was up to date, new, or there is no file. */
    readonly copiedTo: string | null = null,
    terms: LedgerTerms = {},
  ) {
    this.#watch = new LogWatch(store, terms.isServer ?? false);
    const histories = new RecentHistories();
    this.#commits = new GroupCommit(store, limits, terms, ({ log, events }) => {
      histories.stored(events);
      this.#watch.stored(log);
    });
    [this.lost, this.collisions] = [this.#commits.lost, () => this.#commits.collisions];
    this.waiting = () => this.#commits.waiting;
    this.#queries = new Queries(store);
    this.leases = new SqlLeases(store);
    const access = storeAccess(store, this.#commits);
    [this.#judged, this.#wrote] = [access.read, access.write];
    this.log = new SqlEventLog(store, access, { watchers: this.#watch, recent: histories });
    this.signals = this.#signals = new SqlSignals(store, access);
    this.bets = new SqlBets(store, access);
    this.decisions = new SqlDecisions(store, access);
    this.approvals = new SqlApprovals(store, access);
    this.endpoints = new SqlEndpoints(store, access);
    this.firstPrices = new SqlFirstPrices(store, access);
    this.prices = new SqlPrices(store, access);
    this.sessions = new SqlSessions(store, access);
    this.#money = new MoneyQueries(store);
    this.#snapshots = new SnapshotReader(store);
  }

  write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    return this.#commits.write(scope, decide);
  }

  async read<T>(scope: Scope, look: (now: Snapshot) => T): Promise<T> {
    // Once its files were taken away, what can still be read is no longer the database that was opened.
    this.#commits.look();
    this.#commits.check();
    const snapshot = await this.#judged(() => this.#snapshots.load(scope));
    return snapshot.look(scope, look);
  }

  findStrategy(account: AccountId, id: StrategyId): Promise<Strategy | undefined> {
    return this.#judged(() => this.#queries.findStrategy(account, id));
  }

  listStrategies(account: AccountId, filter: StrategyFilter, page: Page<StrategyId>): Promise<readonly Strategy[]> {
    return this.#judged(() => this.#queries.listStrategies(account, filter, page));
  }

  listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    return this.#judged(() => this.#queries.listVersions(account, id, page));
  }

  listAutomated(since: Date | null, page: Page<AutomatedCursor>): Promise<readonly Strategy[]> {
    return this.#judged(() => this.#queries.listAutomated(since, page));
  }

  findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    return this.#judged(() => this.#queries.findOrder(account, id));
  }

  listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    return this.#judged(() => this.#queries.listOrders(account, filter, page));
  }

  findMarketBySlug(account: AccountId, slug: string): Promise<MarketId | undefined> {
    return this.#judged(() => this.#queries.findMarketBySlug(account, slug));
  }

  listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]> {
    return this.#judged(() => this.#queries.listEvents(account, id, page));
  }

  listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    return this.#judged(() => this.#queries.listInFlight(page));
  }

  listByVenueOrderId(venue: VenueName, venueOrderIds: readonly string[]): Promise<readonly Order[]> {
    return this.#judged(() => this.#queries.listByVenueOrderId(venue, venueOrderIds));
  }

  listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    return this.#judged(() => this.#queries.listVenueOrders(filter, page));
  }

  listMarketOrders(filter: MarketOrderFilter, page: Page<MarketOrderCursor>): Promise<readonly Order[]> {
    return this.#judged(() => this.#queries.listMarketOrders(filter, page));
  }

  listMarketsInUse(settledFrom: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]> {
    return this.#judged(() => this.#queries.listMarketsInUse(settledFrom, page));
  }

  listAccounts(filter: AccountFilter, page: Page<AccountId>): Promise<readonly AccountId[]> {
    return this.#judged(() => listAccounts(this.store, filter, page));
  }

  findBalance(account: AccountId, cash: CashKey): Promise<Balance | undefined> {
    return this.#judged(() => this.#money.findBalance(account, cash));
  }

  listBalances(page: Page<BalanceCursor>): Promise<readonly Balance[]> {
    return this.#judged(() => this.#money.listBalances(page));
  }

  listPositions(account: AccountId, filter: HoldingFilter, page: Page<PositionCursor>): Promise<readonly Position[]> {
    return this.#judged(() => this.#money.listPositions(account, filter, page));
  }

  listRedeemable(page: Page<RedeemableCursor>): Promise<readonly Position[]> {
    return this.#judged(() => this.#money.listRedeemable(page));
  }

  listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]> {
    return this.#judged(() => this.#money.listEntries(account, paper, page));
  }

  listEquity(account: AccountId, filter: HoldingFilter, page: Page<Date>): Promise<readonly EquityPoint[]> {
    return this.#judged(() => this.#money.listEquity(account, filter, page));
  }

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.#judged(() => this.#queries.findKey(id));
  }

  listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return this.#judged(() => this.#queries.listKeys(page));
  }

  async revokeKey(id: string, at: Date): Promise<ApiKey | undefined> {
    const key = await this.findKey(id);
    return key && this.write(revocationOf(key), (now) => revoked(now, id, at));
  }

  forgetExpiredRequests(now: Date): Promise<number> {
    return this.#wrote(() => forgetRequests(this.store, now));
  }

  claimJobs(limit: number, leaseMs: number): Promise<readonly Job[]> {
    return this.#wrote(() => claimJobs(this.store, limit, leaseMs));
  }

  findBookmark(name: string): Promise<Date | undefined> {
    return this.#judged(() => this.#queries.findBookmark(name));
  }

  setBookmark(name: string, at: Date): Promise<void> {
    return this.#wrote(() => setBookmark(this.store, name, at));
  }

  recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]> {
    return this.#wrote(() => recordExternalOrders(this.store, orders));
  }

  listExternalOrders(page: Page<ExternalOrderCursor>): Promise<readonly ExternalOrder[]> {
    return this.#judged(() => listExternalOrders(this.store, page));
  }

  ping(): Promise<void> {
    return this.#commits.ping();
  }

  /** Checks whether the database still is what was opened; `lost` resolves if not. */
  look(): void {
    this.#commits.look();
  }

  /** Waits until every write has been answered, then closes all connections and releases the database. */
  async close(): Promise<void> {
    await this.#commits.close();
    await Promise.all([this.#signals.settled(), this.#watch.close()]);
    await this.store.close();
  }
}
