import { type JournalEntry, SERVICE } from '../../core/account/account.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { AccountId, OrderId, StrategyId } from '../../core/ids.js';
import type { Scope } from '../../core/ledger/decision.js';
import type { Lease } from '../../core/ledger/lease.js';
import type { RequestRecord } from '../../core/ledger/request.js';
import { newAccount, seesService, WorkingSet } from '../../core/ledger/working-set.js';
import { marketName } from '../../core/market/market.js';
import type { Order } from '../../core/order/order.js';
import { ACCOUNTS, API_KEYS, BALANCES, POSITIONS, REQUESTS, WHOLE_ACCOUNT } from './account-table.js';
import { APPROVALS, approvalIn, approvalRows, readingApprovals } from './approval-table.js';
import { type Dialect, textColumn, wholeColumn } from './columns.js';
import { DECISIONS, decisionRow, readingSlots, SLOTS } from './decision-table.js';
import { ENDPOINTS, readingEndpoints } from './endpoint-table.js';
import { eventRow, LOG } from './event-table.js';
import { FILLS, type OrderFill } from './fill-table.js';
import { JOBS } from './job-table.js';
import { type EntryLine, EQUITY, JOURNAL_LINES } from './journal-table.js';
import { WORKING } from './markets-in-use.js';
import { EVENTS, ORDERS, VENUE_ORDERS, type VenueOrderRow } from './order-table.js';
import type { Key, RecentRows } from './remembered.js';
import { AT_RISK, HOT, positionKey, type Remembered } from './remembered.js';
import type { Reads } from './store.js';
import { EXPOSURES, readingAutomated, STRATEGIES, VERSIONS } from './strategy-table.js';
import {
  type Change,
  changed,
  type RowsWanted,
  rows,
  rowsAsText,
  storing,
  type Table,
  type Template,
  type Wanted,
  wanting,
  wantingBy,
} from './table.js';
import { TRADING_HISTORY } from './trading-table.js';

/** A working set that is loaded bit by bit. */
export interface Loading {
  readonly set: WorkingSet;
  /** Which keys of which table were asked for already. */
  readonly known: Set<string>;
  /** Rows that need not be read; null where all have to be. */
  readonly remembered: Remembered | null;
  /** What was decided and may not be stored yet when rows are read; null where everything is. */
  readonly before: WorkingSet | null;
}

/** An empty one, for which everything is read. */
export const newLoading = (): Loading => ({ set: new WorkingSet(), known: new Set(), remembered: null, before: null });

/** Reads what the scopes of a group of writes name. */
export class SnapshotLoader {
  readonly #accounts;
  readonly #requests;
  readonly #orders;
  readonly #strategies;
  readonly #automated;
  readonly #allAutomated;
  readonly #exposures;
  readonly #positions;
  readonly #balances;
  readonly #jobs;
  readonly #leases;
  readonly #allPositions;
  readonly #allExposures;
  readonly #risks;
  readonly #keys;
  readonly #heads;
  readonly #slots;
  readonly #sales;
  readonly #approvals;
  readonly #endpoints;

  constructor(dialect: Dialect) {
    this.#accounts = HOT.accounts.want(dialect);
    this.#requests = wanting(REQUESTS, dialect, REQUESTS.key);
    this.#orders = wanting(ORDERS, dialect, ORDERS.key);
    this.#strategies = HOT.strategies.want(dialect);
    this.#automated = wanting(STRATEGIES, dialect, ['account', 'automation_key']);
    this.#allAutomated = wantingBy(STRATEGIES, readingAutomated(dialect));
    this.#exposures = HOT.exposures.want(dialect);
    this.#positions = HOT.positions.want(dialect);
    this.#balances = HOT.balances.want(dialect);
    this.#jobs = wanting(JOBS, dialect, JOBS.key);
    this.#leases = wantingBy(LEASES, readingLeases(dialect));
    this.#allPositions = wanting(POSITIONS, dialect, ['account', 'paper']);
    this.#allExposures = wanting(EXPOSURES, dialect, ['account', 'paper']);
    this.#risks = AT_RISK.want(dialect);
    this.#keys = wanting(API_KEYS, dialect, ['account', 'id']);
    this.#heads = HOT.heads.want(dialect);
    this.#slots = wantingBy(SLOTS, readingSlots(dialect));
    this.#sales = wantingBy(ORDERS, readingSales(dialect));
    this.#approvals = wantingBy(APPROVALS, readingApprovals(dialect));
    this.#endpoints = wantingBy(ENDPOINTS, readingEndpoints(dialect));
  }

  /** If the accounts were locked before, the result cannot change until the transaction ends. */
  async load(reads: Reads, scopes: readonly Scope[]): Promise<WorkingSet> {
    const loading = newLoading();
    await this.add(reads, scopes, loading);
    return loading.set;
  }

  /** Reads what the scopes name, but for what is known or remembered. What the set has is newer than what is read. */
  async add(reads: Reads, scopes: readonly Scope[], loading: Loading): Promise<void> {
    const requests: RequestRecord[] = [];
    const keys = missing(loading, 'request', scopes.flatMap(requestKeys));
    const first = this.#requests(keys, (rows) => requests.push(...rows));
    await readAll(reads, [...first, ...this.#named(scopes, loading)]);
    for (const request of requests) loading.set.requests.offer(request, request);
    const second = scopes.filter((scope) => scope.second !== undefined).map((scope) => loading.set.secondPart(scope));
    // Most requests are new; the others name an order or a strategy that is needed too.
    const made = requests.length === 0 ? [] : this.#named(requests.map(madeBy), loading);
    await readAll(reads, [...made, ...this.#worth(second, loading)]);
  }

  /** Whether the second part of a scope names something that was not read: a decision of the same group may have changed it. */
  lacks(scope: Scope, { set, known }: Loading): boolean {
    if (scope.second === undefined) return false;
    const part = set.secondPart(scope);
    const isRead = (table: string, keys: readonly Key[]) => keys.every((key) => known.has(table + JSON.stringify(key)));
    return !isRead('risks', riskKeys(part)) || !isRead('positions', holdingsKeys(part));
  }

  #named(scopes: readonly Scope[], loading: Loading): readonly Wanted[] {
    const { set, remembered } = loading;
    const read = <T>(
      table: string,
      keys: readonly Key[],
      want: RowsWanted<T>,
      take: (row: T) => void,
      rows?: RecentRows<T>,
    ) => recalled(missing(loading, table, keys), want, take, rows, loading.before);
    const owners = scopes.flatMap(accountsNamed).map((account) => [account]);
    const common = scopes.some(seesService) ? [[SERVICE]] : [];
    const strategies = scopes.flatMap(strategyKeys);
    const positions = scopes.flatMap(({ account, positions = [] }) =>
      positions.map((p) => positionKey({ ...p, account })),
    );
    return [
      ...read(
        'account',
        [...owners, ...common],
        this.#accounts,
        (a) => set.accounts.offer(a.id, a),
        remembered?.accounts,
      ),
      ...read('balances', owners, this.#balances, (b) => set.balances.offer(b, b), remembered?.balances),
      ...read('strategy', strategies, this.#strategies, (s) => set.strategies.offer(s.id, s), remembered?.strategies),
      ...read('automated', scopes.flatMap(automatedKeys), this.#automated, (s) => set.strategies.offer(s.id, s)),
      ...read('all automated', scopes.flatMap(allAutomatedKeys), this.#allAutomated, (s) =>
        set.strategies.offer(s.id, s),
      ),
      ...read('exposures', strategies, this.#exposures, (e) => set.exposures.offer(e, e), remembered?.exposures),
      ...read('position', positions, this.#positions, (p) => set.positions.offer(p, p), remembered?.positions),
      ...read('order', scopes.flatMap(orderKeys), this.#orders, (order) => set.orders.offer(order.id, order)),
      ...read('job', scopes.flatMap(jobKeys), this.#jobs, (job) => set.jobs.offer(job.orderId, job)),
      ...read('lease', scopes.flatMap(leaseKeys), this.#leases, (lease) => set.leases.offer(lease.name, lease)),
      ...read('slot', scopes.flatMap(slotKeys), this.#slots, (slot) => set.slots.offer(slot, slot)),
      ...read('sale', scopes.flatMap(saleKeys), this.#sales, (order) => set.orders.offer(order.id, order)),
      ...read('approval', scopes.flatMap(approvalKeys), this.#approvals, (row) =>
        set.approvals.offer(row.id, approvalIn(row)),
      ),
      ...read('endpoints', scopes.flatMap(endpointKeys), this.#endpoints, (one) => set.endpoints.offer(one.id, one)),
      ...read('key', scopes.flatMap(keyKeys), this.#keys, (key) => set.keys.offer(key.id, key)),
      ...read('head', owners, this.#heads, (head) => set.offerHead(head), remembered?.heads),
      ...this.#worth(scopes, loading),
    ];
  }

  /** All holdings, and what they put at risk: what the second part of a scope can name. */
  #worth(scopes: readonly Scope[], loading: Loading): readonly Wanted[] {
    const { set } = loading;
    const holdings = scopes.flatMap(holdingsKeys);
    return [
      ...this.#allPositions(missing(loading, 'positions', holdings), (rows) => {
        for (const position of rows) set.positions.offer(position, position);
      }),
      ...this.#atRisk(missing(loading, 'risks', scopes.flatMap(riskKeys)), loading),
      ...this.#allExposures(missing(loading, 'all exposures', holdings), (rows) => {
        for (const exposure of rows) set.exposures.offer(exposure, exposure);
      }),
    ];
  }

  #atRisk(names: readonly string[], { set, remembered }: Loading): readonly Wanted[] {
    const unknown = names.filter((name) => {
      const risks = remembered?.risks.get(name);
      if (risks !== undefined) set.risks.offer(name, risks);
      return risks === undefined;
    });
    return this.#risks(unknown, (found) => {
      for (const position of found) set.positions.offer(position, position);
    });
  }
}

/** The account of a scope, and those whose event log it adds to. */
export const accountsNamed = ({ account, logs = [] }: Scope): readonly AccountId[] => [account, ...logs];

// The account of a key is always the scope's, regardless of the key itself: no account reads another's records.
const orderKeys = ({ account, orders = [] }: Scope): Key[] => orders.map((id) => [account, id]);
const jobKeys = ({ account, jobs = [] }: Scope): Key[] => jobs.map((id) => [account, id]);
const keyKeys = ({ account, keys = [] }: Scope): Key[] => keys.map((id) => [account, id]);
const slotKeys = ({ account, slots }: Scope): Key[] =>
  slots === undefined ? [] : [[account, slots.strategyId, slots.venue, slots.marketId, slots.eventId ?? '', slots.day]];
const saleKeys = ({ account, sales }: Scope): Key[] =>
  sales === undefined ? [] : [[account, sales.paper, marketName(sales), sales.outcome, sales.strategyId ?? '']];
const approvalKeys = ({ account, approvals: named }: Scope): Key[] =>
  named === undefined ? [] : [[account, named.strategyId, named.venue, named.marketId]];
const endpointKeys = ({ account, endpoints }: Scope): Key[] => (endpoints === undefined ? [] : [[account]]);
const leaseKeys = ({ lease }: Scope): Key[] => (lease === undefined ? [] : [[lease]]);
const strategyKeys = ({ account, strategies = [] }: Scope): Key[] => strategies.map((id) => [account, id]);
const automatedKeys = ({ account, automatedBy }: Scope): Key[] =>
  automatedBy === undefined ? [] : [[account, automatedBy]];
const allAutomatedKeys = ({ account, automated }: Scope): Key[] => (automated === undefined ? [] : [[account]]);
const holdingsKeys = ({ account, holdings }: Scope): Key[] => [
  ...(holdings === 'paper' || holdings === 'both' ? [[account, true]] : []),
  ...(holdings === 'live' || holdings === 'both' ? [[account, false]] : []),
];
// Its JSON is the name of the holder.
const riskKeys = ({ account, risks = [] }: Scope): Key[] =>
  risks.map(({ paper, strategyId }) => [account, paper, strategyId ?? WHOLE_ACCOUNT]);
const requestKeys = ({ account, request }: Scope): Key[] =>
  request === undefined ? [] : [[account, request.route, request.key]];

/** The keys, as JSON, that were not asked for before. */
function missing({ known }: Loading, table: string, keys: readonly Key[]): readonly string[] {
  return keys
    .map((key) => JSON.stringify(key))
    .filter((key) => {
      const name = table + key;
      return !known.has(name) && known.add(name);
    });
}

/** Takes rows that are remembered, and requests the others, which are remembered then. */
function recalled<T>(
  keys: readonly string[],
  want: RowsWanted<T>,
  take: (row: T) => void,
  rows: RecentRows<T> | undefined,
  before: WorkingSet | null,
): readonly Wanted[] {
  const unknown = keys.filter((key) => {
    const found = rows?.get(key);
    found?.forEach(take);
    return found === undefined;
  });
  return want(unknown, (found) => {
    rows?.read(unknown, found, before);
    found.forEach(take);
  });
}

async function readAll(reads: Reads, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length > 0) await reads.read(wanted);
}

/** Names what an earlier request made, of the kind that its route names. */
function madeBy({ account, route, resource }: RequestRecord): Scope {
  if (route.startsWith('orders.')) return { account, orders: [resource as OrderId] };
  return route.startsWith('strategies.') ? { account, strategies: [resource as StrategyId] } : { account };
}

/** Reads the working sales of parts of strategies, each named by account, paper, market, outcome and strategy. */
function readingSales(dialect: Dialect): Template {
  const [account, paper, market] = [dialect.member(0, 'text'), dialect.member(1, 'boolean'), dialect.member(2, 'text')];
  const [outcome, strategy] = [dialect.member(3, 'text'), dialect.member(4, 'text')];
  // The market is spelt as in the partial index of the working orders.
  const named = `orders.account = ${account} and orders.paper = ${paper} and (orders.venue || '/' || orders.market_id) = ${market}`;
  const part = `orders.token = ${outcome} and orders.strategy_id = ${strategy} and orders.side = 'SELL'`;
  return (parameter) =>
    `select ${rowsAsText(ORDERS, dialect)} as found from ${dialect.elements(parameter)} cross join orders
      where ${named} and ${part} and ${WORKING}`;
}

/** Leases by name; an expired one has no owner. */
const LEASES = rows<Lease>('leases', { name: textColumn(), owner: textColumn(), fence: wholeColumn() });

/**
 * Reads leases by their names, and makes other claimants wait until the transaction ends: what is decided under a lease is
 * stored before another server can take it, or not at all.
 */
function readingLeases(dialect: Dialect): Template {
  const held = `leases.expires_at > ${dialect.now} ${dialect.shared}`;
  return (parameter) =>
    `select ${rowsAsText(LEASES, dialect)} as found from (select leases.* from ${dialect.elements(parameter)}
      cross join leases where leases.name = ${dialect.member(0, 'text')} and ${held}) as leases`;
}

/** How the rows of each table are stored, by its name. Referenced tables come first. */
export function storingAll(dialect: Dialect): ReadonlyMap<string, Template> {
  const into = <T>(table: Table<T>): [string, Template] => [table.name, storing(table, dialect)];
  return new Map([
    into(ACCOUNTS),
    into(STRATEGIES),
    into(VERSIONS),
    into(EXPOSURES),
    into(ORDERS),
    into(FILLS),
    into(EVENTS),
    into(BALANCES),
    into(POSITIONS),
    into(REQUESTS),
    into(JOBS),
    into(JOURNAL_LINES),
    into(EQUITY),
    into(LOG),
    into(TRADING_HISTORY),
    into(DECISIONS),
    into(SLOTS),
    into(APPROVALS),
    into(ENDPOINTS),
    [VENUE_ORDERS.name, naming(dialect)],
    [API_KEYS.name, revoking(dialect)],
  ]);
}

/** Identities at venues: a repetition changes nothing, and one of another order is refused, as the column is not null. */
function naming(dialect: Dialect): Template {
  const insert = storing(VENUE_ORDERS, dialect);
  const isSame = `venue_orders.account = excluded.account and venue_orders.order_id = excluded.order_id`;
  const refused = `order_id = case when ${isSame} then excluded.order_id end`;
  return (parameter) => `${insert(parameter)} on conflict (venue, venue_order_id) do update set ${refused}`;
}

/** API keys: the same one again may be revoked, and another one with its id is refused, as the column is not null. */
function revoking(dialect: Dialect): Template {
  const insert = storing({ ...API_KEYS, replaced: [] }, dialect);
  const refused = 'digest = case when api_keys.digest = excluded.digest then excluded.digest end';
  return (parameter) =>
    `${insert(parameter)} on conflict (id) do update set revoked_at = excluded.revoked_at, ${refused}`;
}

/** New accounts, as rows of JSON. */
export function newAccountRows(ids: readonly AccountId[]): string {
  return JSON.stringify(ids.map((id) => ACCOUNTS.encode(newAccount(id))));
}

/** What a group of decisions changed. */
export function changesOf(set: WorkingSet): readonly Change[] {
  const orders = set.orders.changed();
  const approvals = set.approvals.changed();
  const fills = orders.flatMap((order) => newFills(order, set.orders.loaded(order.id)));
  return [
    ...changed(ACCOUNTS, set.accounts.changed()),
    ...changed(STRATEGIES, set.strategies.changed()),
    ...changed(VERSIONS, set.versions),
    ...changed(EXPOSURES, set.exposures.changed()),
    ...changed(ORDERS, orders),
    ...changed(FILLS, fills),
    ...changed(VENUE_ORDERS, orders.flatMap(venueOrdersOf)),
    ...changed(EVENTS, set.events),
    ...changed(BALANCES, set.balances.changed()),
    ...changed(POSITIONS, set.positions.changed()),
    ...changed(REQUESTS, set.requests.changed()),
    ...changed(API_KEYS, set.keys.changed()),
    ...changed(JOBS, set.jobs.changed()),
    ...changed(JOURNAL_LINES, set.entries.flatMap(linesOf)),
    ...changed(EQUITY, lastOfEach(set.equity)),
    ...changed(DECISIONS, set.decisions.map(decisionRow)),
    ...changed(SLOTS, set.slots.changed()),
    ...(approvals.length === 0 ? [] : changed(APPROVALS, approvalRows(approvals))),
    ...changed(ENDPOINTS, set.endpoints.changed()),
    ...changed(LOG, set.log.map(eventRow)),
    ...changed(TRADING_HISTORY, set.trading),
  ];
}

function linesOf(entry: JournalEntry): EntryLine[] {
  return entry.lines.map((line, index) => ({ entry, n: index + 1, line }));
}

/** Postgres accepts a row once per statement: of several points for one moment, the last one counts. */
function lastOfEach(points: readonly EquityPoint[]): EquityPoint[] {
  const nameOf = (point: EquityPoint) => JSON.stringify(EQUITY.encode(point).slice(0, EQUITY.key.length));
  return [...new Map(points.map((point) => [nameOf(point), point])).values()];
}

/** The fills that are not stored yet, or that changed. */
function newFills({ account, id, fills }: Order, stored: Order | undefined): OrderFill[] {
  const numbered = fills.map((fill, index) => ({ account, orderId: id, n: index + 1, fill }));
  return stored === undefined ? numbered : numbered.filter(({ fill }) => !stored.fills.includes(fill));
}

/** The id of an order with real money at its venue, once it has one. */
function venueOrdersOf({ account, id, intent, venueOrderId }: Order): VenueOrderRow[] {
  if (intent.paper || venueOrderId === null) return [];
  return [{ venue: intent.venue, venueOrderId, account, orderId: id }];
}
