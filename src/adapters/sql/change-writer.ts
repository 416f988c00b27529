import type { JournalEntry } from '../../core/account/journal.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { AccountId } from '../../core/ids.js';
import { newAccount, type WorkingSet } from '../../core/ledger/working-set.js';
import type { Order } from '../../core/order/order.js';
import { ACCOUNTS, API_KEYS, BALANCES, POSITIONS, REQUESTS } from './account-table.js';
import { APPROVALS, approvalRows } from './approval-table.js';
import { DECISIONS, decisionRow, SLOTS } from './decision-table.js';
import type { Dialect } from './dialect.js';
import { ENDPOINTS } from './endpoint-table.js';
import { eventRow, LOG } from './event-table.js';
import { FILLS, type OrderFill } from './fill-table.js';
import { JOBS } from './job-table.js';
import { type EntryLine, EQUITY, JOURNAL_LINES } from './journal-table.js';
import { EVENTS, ORDERS, VENUE_ORDERS, venueOrdersOf } from './order-table.js';
import { EXPOSURES, STRATEGIES, VERSIONS } from './strategy-table.js';
import type { Table } from './table.js';
import { type Change, changed, storing, type Template } from './tables.js';
import { TRADING_HISTORY } from './trading-table.js';

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
    ...changed(APPROVALS, approvalRows(set.approvals.changed())),
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

/** Those that are not stored, or not as they are now. */
function newFills({ account, id, fills }: Order, stored: Order | undefined): OrderFill[] {
  const numbered = fills.map((fill, index) => ({ account, orderId: id, n: index + 1, fill }));
  return stored === undefined ? numbered : numbered.filter(({ fill }) => !stored.fills.includes(fill));
}
