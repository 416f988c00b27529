import type { ApiKey } from '../../core/access/api-key.js';
import type { Balance, CashKey, JournalEntry } from '../../core/account/account.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { HoldingFilter, Position } from '../../core/account/position.js';
import type { AccountId, MarketId, OrderId, StrategyId, VenueName } from '../../core/ids.js';
import type { Decision, Scope, Snapshot } from '../../core/ledger/decision.js';
import { type DecisionNews, newsIn } from '../../core/ledger/event-log.js';
import type { Job, JobChange } from '../../core/ledger/job.js';
import type { Lease, LeaseName } from '../../core/ledger/lease.js';
import type { Program } from '../../core/ledger/program.js';
import {
  type AccountFilter,
  type AutomatedCursor,
  type BalanceCursor,
  type MarketOrderCursor,
  type MarketOrderFilter,
  ORDERS_SEARCHED_FOR_SLUG,
  type OrderFilter,
  type Page,
  type PositionCursor,
  type RedeemableCursor,
  type StrategyFilter,
  type VenueOrderFilter,
} from '../../core/ledger/query.js';
import { revocationOf, revoked } from '../../core/ledger/revocation.js';
import { WorkingSet } from '../../core/ledger/working-set.js';
import type { MarketRef } from '../../core/market/market.js';
import type { OrderEvent } from '../../core/order/event.js';
import { isInFlight } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Strategy } from '../../core/strategy/strategy.js';
import type { ExternalOrder, ExternalOrderCursor } from '../../ports/external-orders.js';
import type { Leases, Programs } from '../../ports/leases.js';
import type { StoreWatch, WholeStore } from '../../ports/ledger.js';
import type { Clock } from '../../ports/system.js';
import { holds, inOrder, isAsked, newestFirst, outcomeOrder } from './filters.js';
import { MemoryBets } from './memory-bets.js';
import { MemoryEndpoints } from './memory-endpoints.js';
import { MemoryEventLog } from './memory-event-log.js';
import {
  MemoryApprovals,
  MemoryDecisions,
  MemoryExternalOrders,
  MemoryFirstPrices,
  MemorySessions,
} from './memory-lists.js';
import { MemoryPrices } from './memory-prices.js';
import { MemorySignals } from './memory-signals.js';
import { accountOrdersIn, accountsIn, automatedIn, OrdersByMarket, strategiesIn, versionsIn } from './orders.js';

/** Keeps everything in this process, and loses it with the process. Needs no lock: `decide` cannot await. */
export class MemoryLedger implements WholeStore {
  readonly leases: WholeStore['leases'];
  readonly log: WholeStore['log'];
  readonly signals: WholeStore['signals'] = new MemorySignals();
  readonly bets: WholeStore['bets'];
  readonly sessions: WholeStore['sessions'] = new MemorySessions();
  readonly decisions: WholeStore['decisions'];
  readonly firstPrices: WholeStore['firstPrices'] = new MemoryFirstPrices();
  readonly prices: WholeStore['prices'] = new MemoryPrices();
  readonly approvals: WholeStore['approvals'];
  readonly endpoints: WholeStore['endpoints'];
  readonly #leases: MemoryLeases;
  readonly #set = new WorkingSet();
  readonly #log = new MemoryEventLog(this.#set);
  /** Orders that changed since orders were last asked for by their markets. */
  readonly #unsorted = new Map<OrderId, Order>();
  readonly #sorted = new OrdersByMarket();
  readonly #jobs = new MemoryJobs(this.#set);
  readonly #bookmarks = new Map<string, Date>();
  readonly #externals = new MemoryExternalOrders();

  /** @param watch learns what is stored. */
  constructor(
    private readonly clock: Clock = { now: () => new Date() },
    private readonly watch?: StoreWatch,
  ) {
    this.leases = this.#leases = new MemoryLeases(clock);
    this.log = this.#log;
    this.bets = new MemoryBets(this.#set.heads);
    this.decisions = new MemoryDecisions(this.#set);
    this.approvals = new MemoryApprovals(this.#set);
    this.endpoints = new MemoryEndpoints(this.#set);
  }

  async write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    this.#leases.show(scope, this.#set);
    const at = this.clock.now();
    let jobs: Decision<T>['jobs'];
    let orders: Decision<T>['orders'];
    let news: DecisionNews | null = null;
    const deciding = (now: Snapshot) => {
      const decision = decide(now);
      [jobs, orders] = [decision.jobs, decision.orders];
      if (this.watch !== undefined) news = newsIn(decision, now);
      return decision;
    };
    const result = this.#set.decide(scope, deciding, at);
    for (const order of orders ?? []) this.#unsorted.set(order.id, order);
    this.#jobs.note(jobs ?? [], at.getTime());
    this.#log.added(this.#set.log.splice(0));
    this.watch?.written();
    if (news !== null) this.watch?.stored(news);
    return result;
  }

  async read<T>(scope: Scope, look: (now: Snapshot) => T): Promise<T> {
    this.#leases.show(scope, this.#set);
    return this.#set.look(scope, look);
  }

  async claimJobs(limit: number, leaseMs: number): Promise<readonly Job[]> {
    return this.#jobs.claim(limit, leaseMs, this.clock.now().getTime());
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
    return strategiesIn(this.#set, account, filter, page);
  }

  async listVersions(account: AccountId, id: StrategyId, page: Page<number>): Promise<readonly Strategy[]> {
    return versionsIn(this.#set, account, id, page);
  }

  async listAutomated(since: Date | null, page: Page<AutomatedCursor>): Promise<readonly Strategy[]> {
    return automatedIn(this.#set, since, page);
  }

  async findOrder(account: AccountId, id: OrderId): Promise<Order | undefined> {
    const order = this.#set.orders.get(id);
    return order?.account === account ? order : undefined;
  }

  async listOrders(account: AccountId, filter: OrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    return accountOrdersIn(this.#set, account, filter, page);
  }

  async findMarketBySlug(account: AccountId, slug: string): Promise<MarketId | undefined> {
    const newest = await this.listOrders(account, {}, { limit: ORDERS_SEARCHED_FOR_SLUG });
    return newest.find(({ intent }) => intent.marketSlug === slug)?.intent.marketId;
  }

  async listEvents(account: AccountId, id: OrderId, page: Page<number>): Promise<readonly OrderEvent[]> {
    const after = page.after ?? 0;
    const events = this.#log.historyOf(id).filter((e) => e.account === account && e.seq > after);
    return events.slice(0, page.limit);
  }

  async listInFlight(page: Page<OrderId>): Promise<readonly Order[]> {
    const all = this.#set.orders.all().filter(({ state }) => isInFlight(state) || state === 'unknown');
    return inOrder(all, (order) => order.id, page);
  }

  async listByVenueOrderId(venue: VenueName, venueOrderIds: readonly string[]): Promise<readonly Order[]> {
    const wanted = new Set(venueOrderIds);
    const live = this.#set.orders.all().filter(({ intent }) => !intent.paper && intent.venue === venue);
    return live.filter(({ venueOrderId }) => venueOrderId !== null && wanted.has(venueOrderId));
  }

  async listVenueOrders(filter: VenueOrderFilter, page: Page<OrderId>): Promise<readonly Order[]> {
    const wanted = this.#set.orders.all().filter((order) => isAsked(order, filter));
    return inOrder(wanted, (order) => order.id, page);
  }

  async listMarketOrders(filter: MarketOrderFilter, page: Page<MarketOrderCursor>): Promise<readonly Order[]> {
    return this.#byMarket().ordersIn(filter, page);
  }

  async listMarketsInUse(settledFrom: Date, page: Page<MarketRef>): Promise<readonly MarketRef[]> {
    return this.#byMarket().inUse(settledFrom, page);
  }

  #byMarket(): OrdersByMarket {
    this.#sorted.put([...this.#unsorted.values()]);
    this.#unsorted.clear();
    return this.#sorted;
  }

  async listAccounts(filter: AccountFilter, page: Page<AccountId>): Promise<readonly AccountId[]> {
    return inOrder(accountsIn(this.#set, filter), (id) => id, page);
  }

  async findBalance(account: AccountId, cash: CashKey): Promise<Balance | undefined> {
    return this.#set.balances.get({ account, ...cash });
  }

  async listBalances({ limit, after }: Page<BalanceCursor>): Promise<readonly Balance[]> {
    const nameOf = ({ account, paper, venue }: BalanceCursor) => `${account}\n${paper ? 0 : 1}\n${venue ?? ''}`;
    return inOrder(this.#set.balances.all(), nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }

  async listPositions(
    account: AccountId,
    filter: HoldingFilter,
    { limit, after }: Page<PositionCursor>,
  ): Promise<readonly Position[]> {
    const own = this.#set.positions.all().filter((one) => one.account === account && holds(one, filter));
    return inOrder(own, outcomeOrder, { limit, ...(after && { after: outcomeOrder(after) }) });
  }

  async listRedeemable({ limit, after }: Page<RedeemableCursor>): Promise<readonly Position[]> {
    const nameOf = (cursor: RedeemableCursor) => `${cursor.account}\n${outcomeOrder(cursor)}`;
    const wanted = this.#set.positions.all().filter(({ redeemable }) => redeemable > 0n);
    return inOrder(wanted, nameOf, { limit, ...(after && { after: nameOf(after) }) });
  }

  async listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]> {
    const all = this.#set.entries.filter((entry) => entry.account === account && entry.paper === paper);
    const own = all.filter(({ lines }) => lines.length > 0);
    return inOrder(own, (entry) => entry.id, page);
  }

  async listEquity(
    account: AccountId,
    filter: HoldingFilter,
    { limit, after }: Page<Date>,
  ): Promise<readonly EquityPoint[]> {
    const own = this.#set.equity.filter((point) => point.account === account && holds(point, filter));
    const last = new Map(own.map((point) => [point.at.getTime(), point]));
    return newestFirst([...last.values()], ({ at }) => at.getTime(), {
      limit,
      ...(after && { after: after.getTime() }),
    });
  }

  async forgetExpiredRequests(now: Date): Promise<number> {
    const expired = this.#set.requests.all().filter((r) => r.expiresAt !== null && r.expiresAt <= now);
    for (const request of expired) this.#set.requests.drop(request);
    return expired.length;
  }

  async findKey(id: string): Promise<ApiKey | undefined> {
    return this.#set.keys.get(id);
  }

  async listKeys(page: Page<string>): Promise<readonly ApiKey[]> {
    return newestFirst(this.#set.keys.all(), (key) => key.id, page);
  }

  async revokeKey(id: string, at: Date): Promise<ApiKey | undefined> {
    const key = this.#set.keys.get(id);
    return key && this.write(revocationOf(key), (now) => revoked(now, id, at));
  }

  async findBookmark(name: string): Promise<Date | undefined> {
    return this.#bookmarks.get(name);
  }

  async setBookmark(name: string, at: Date): Promise<void> {
    this.#bookmarks.set(name, at);
  }

  recordExternalOrders(orders: readonly ExternalOrder[]): Promise<readonly ExternalOrder[]> {
    return this.#externals.recordExternalOrders(orders);
  }

  listExternalOrders(page: Page<ExternalOrderCursor>): Promise<readonly ExternalOrder[]> {
    return this.#externals.listExternalOrders(page);
  }

  async ping(): Promise<void> {}
}

/** Keeps them in this process. */
export class MemoryLeases implements Leases, Programs {
  readonly #taken = new Map<LeaseName, { readonly lease: Lease; readonly expiresAt: number }>();
  readonly #programs = new Map<string, { readonly program: Program; readonly expiresAt: number }>();

  constructor(private readonly clock: Clock) {}

  async claim(name: LeaseName, owner: string, forMs: number): Promise<Lease | null> {
    if (this.now(name) !== undefined) return null;
    const lease = { name, owner, fence: 1 + (this.#taken.get(name)?.lease.fence ?? 0) };
    this.#put(lease, forMs);
    return lease;
  }

  async renew(lease: Lease, forMs: number): Promise<boolean> {
    const isHeld = this.#has(lease);
    if (isHeld) this.#put(lease, forMs);
    return isHeld;
  }

  async release(lease: Lease): Promise<void> {
    if (this.#has(lease)) this.#put(lease, 0);
  }

  async find(name: LeaseName): Promise<Lease | undefined> {
    return this.now(name);
  }

  async announce(program: Program, forMs: number): Promise<void> {
    this.#programs.set(program.owner, { program, expiresAt: this.clock.now().getTime() + forMs });
  }

  /** There are no others to migrate what is in this process. */
  async isMigrated(): Promise<boolean> {
    return false;
  }

  async alive(): Promise<readonly Program[]> {
    const now = this.clock.now().getTime();
    const alive = [...this.#programs.values()].filter(({ expiresAt }) => expiresAt > now);
    return alive.map(({ program }) => program).sort((one, other) => (one.owner < other.owner ? -1 : 1));
  }

  async leave({ owner }: Program): Promise<void> {
    this.#programs.delete(owner);
  }

  /** The lease at this moment, if it is held. */
  now(name: LeaseName): Lease | undefined {
    const taken = this.#taken.get(name);
    return taken !== undefined && taken.expiresAt > this.clock.now().getTime() ? taken.lease : undefined;
  }

  /** Puts the lease that the scope names into the set, as it is at this moment. */
  show({ lease: name }: Scope, { leases }: WorkingSet): void {
    const lease = name && this.now(name);
    if (lease !== undefined) leases.load(lease.name, lease);
    else if (name !== undefined) leases.drop(name);
  }

  #has({ name, owner, fence }: Lease): boolean {
    const lease = this.#taken.get(name)?.lease;
    return lease?.owner === owner && lease.fence === fence;
  }

  #put(lease: Lease, forMs: number): void {
    this.#taken.set(lease.name, { lease, expiresAt: this.clock.now().getTime() + forMs });
  }
}

/** When the jobs of a ledger in memory are due. */
class MemoryJobs {
  /** When each unfinished job may be taken, in milliseconds. */
  readonly #due = new Map<OrderId, number>();

  constructor(private readonly set: Pick<WorkingSet, 'jobs'>) {}

  /** Takes up what a decision made of jobs; `now` is in milliseconds. */
  note(changes: readonly JobChange[], now: number): void {
    for (const { orderId, inMs } of changes) {
      if (inMs === null) this.#due.delete(orderId);
      else this.#due.set(orderId, now + inMs);
    }
  }

  /** Takes those that are due, the longest first. */
  claim(limit: number, leaseMs: number, now: number): readonly Job[] {
    const due = [...this.#due].filter(([, at]) => at <= now).sort(([, a], [, b]) => a - b);
    return due.slice(0, limit).flatMap(([orderId]) => {
      const job = this.set.jobs.get(orderId);
      if (job === undefined) return [];
      const taken = { account: job.account, orderId, fence: job.fence + 1 };
      this.set.jobs.put(orderId, { ...taken, inMs: leaseMs });
      this.#due.set(orderId, now + leaseMs);
      return [taken];
    });
  }
}
