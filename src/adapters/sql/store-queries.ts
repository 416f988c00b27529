import type { JournalEntry } from '../../core/account/account.js';
import { type Balance, type CashKey, SERVICE } from '../../core/account/account.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import type { HoldingFilter, Position } from '../../core/account/position.js';
import type { AccountId, OrderId } from '../../core/ids.js';
import type { Job } from '../../core/ledger/job.js';
import type { AccountFilter, BalanceCursor, Page, PositionCursor, RedeemableCursor } from '../../core/ledger/query.js';
import type { ExternalOrder, ExternalOrderCursor } from '../../ports/external-orders.js';
import { BALANCES, ON_PAPER, POSITIONS, WHOLE_ACCOUNT } from './account-table.js';
import {
  as,
  type Dialect,
  flagColumn,
  microColumn,
  momentColumn,
  orNull,
  postgresDialect,
  sqliteDialect,
  stamp,
  textColumn,
  textIn,
} from './columns.js';
import { ENTRIES, EQUITY } from './journal-table.js';
import { comparable, RowReader } from './row-reader.js';
import type { Store } from './store.js';
import { introducing, table } from './table.js';

interface Claimed {
  readonly account: string;
  readonly order_id: string;
  readonly fence: number | string;
}

/**
 * Takes up to a number of due jobs, each for a number of milliseconds. They are chosen once, whatever the plan: Postgres may run a
 * subquery anew for each row, which then skips the rows that it has locked, and takes more than the number.
 */
function claiming({ now, skipLocked }: Dialect): string {
  const due = `select account, order_id from order_jobs where due_at <= ${now} order by due_at limit ? ${skipLocked}`;
  return `with due as materialized (${due}) update order_jobs set due_at = ${now} + ?, fence = fence + 1
    where (account, order_id) in (select account, order_id from due) returning account, order_id, fence`;
}

const SQLITE = claiming(sqliteDialect);
const POSTGRES = claiming(postgresDialect);

/** Takes due jobs, each for the duration of the lease, and skips those that another process is taking. */
export async function claimJobs({ writer, dialect }: Store, limit: number, leaseMs: number): Promise<readonly Job[]> {
  const bindings = [limit, leaseMs];
  const rows: readonly Claimed[] =
    dialect.name === 'postgres' ? (await writer.raw(POSTGRES, bindings)).rows : await writer.raw(SQLITE, bindings);
  return rows.map(({ account, order_id, fence }) => ({
    account: account as AccountId,
    orderId: order_id as OrderId,
    fence: Number(fence),
  }));
}

/** Every write records its account; the account of a key may not have written yet. */
const NAMED = `(select id from accounts where id <> '${SERVICE}' union select account as id from api_keys) as known`;
const ENABLED = '(select id from accounts where live_enabled = true) as known';
/** Spelt as in its partial index. */
const MEASURED = '(select id from accounts where losses is not null) as known';
const ALARMED = `(select id from accounts where id <> '${SERVICE}' and alarms is not null) as known`;
const LIVE =
  '(select id from accounts where live_enabled = true or halt_code is not null ' +
  'union select account as id from balances where paper = false) as known';

/** Names of accounts, in order. */
export async function listAccounts(
  { reader }: Store,
  { name, live, liveEnabled, lossLimited, alarmed }: AccountFilter,
  { limit, after }: Page<AccountId>,
): Promise<readonly AccountId[]> {
  const named = live ? reader.raw(LIVE) : reader.raw(NAMED);
  const enabled = liveEnabled ? reader.raw(ENABLED) : named;
  const measured = lossLimited ? reader.raw(MEASURED) : enabled;
  const query = reader.select<{ id: string }[]>('id').from(alarmed ? reader.raw(ALARMED) : measured);
  if (name !== undefined) query.where({ id: name });
  if (after !== undefined) query.where('id', '>', after);
  return (await query.orderBy('id').limit(limit)).map(({ id }) => textIn(id) as AccountId);
}

/** Expired records deleted by one statement: few enough that no writer has to wait. */
const AT_ONCE = 1000;
const EXPIRED = 'select account, route, key from requests where expires_at <= ? limit ?';

/** Deletes idempotency records that expired before `now`, and returns how many. */
export async function forgetRequests({ writer }: Store, now: Date): Promise<number> {
  const moment = stamp(now);
  for (let forgotten = 0; ; ) {
    // The expiry is checked again: a record that was renewed while this waited for its lock must stay.
    const count = await writer('requests')
      .where('expires_at', '<=', moment)
      .whereRaw(`(account, route, key) in (${EXPIRED})`, [moment, AT_ONCE])
      .delete();
    forgotten += count;
    if (count < AT_ONCE) return forgotten;
  }
}

/** As `Bookmarks.setBookmark`. */
export async function setBookmark({ writer }: Pick<Store, 'writer'>, name: string, at: Date): Promise<void> {
  await writer('bookmarks')
    .insert({ name, at: stamp(at) })
    .onConflict('name')
    .merge();
}

/** Orders of the wallet that were not placed here. */
const EXTERNAL_ORDERS_TABLE = table<ExternalOrder>(
  'external_orders',
  {
    venueOrderId: textColumn(),
    venue: textColumn(),
    resting: flagColumn(),
    marketId: as('condition_id', textColumn()),
    tokenId: orNull(textColumn()),
    side: orNull(textColumn()),
    price: orNull(microColumn()),
    shares: orNull(microColumn()),
    firstSeen: momentColumn(),
  },
  { key: ['venue_order_id', 'venue'], replaces: ['resting'] },
);

/** Inserts those of a JSON array that are missing, and returns them. */
const adding = (dialect: Dialect): string =>
  `${introducing(EXTERNAL_ORDERS_TABLE, dialect)('?')} returning venue_order_id, venue`;

/** Updates whether the orders of a JSON array rest, where the stored value differs. */
function updating(dialect: Dialect): string {
  const [id, venue, resting] = [dialect.member(0, 'text'), dialect.member(1, 'text'), dialect.member(2, 'boolean')];
  const own = `external_orders.venue_order_id = ${id} and external_orders.venue = ${venue}`;
  return `update external_orders set resting = ${resting} from ${dialect.elements('?')}
    where ${own} and external_orders.resting <> ${resting}`;
}

const SQLITE_TELL = updating(sqliteDialect);
const SQLITE_ADD = adding(sqliteDialect);
const POSTGRES_TELL = updating(postgresDialect);
const POSTGRES_ADD = adding(postgresDialect);

interface Added {
  readonly venue_order_id: string;
  readonly venue: string;
}

/**
 * Inserts the missing ones, and returns them: each to one caller only, also among concurrent callers. If a call has the same
 * order twice, the last one counts.
 */
export async function recordExternalOrders(
  store: Store,
  orders: readonly ExternalOrder[],
): Promise<readonly ExternalOrder[]> {
  if (orders.length === 0) return [];
  const received = new Map(orders.map((order) => [nameOf(order.venueOrderId, order.venue), order]));
  // Sorted, so that concurrent writers never deadlock.
  const sorted = [...received].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, order]) => order);
  const rows = await write(store, JSON.stringify(sorted.map(EXTERNAL_ORDERS_TABLE.encode)));
  const added = new Set(rows.map(({ venue_order_id, venue }) => nameOf(venue_order_id, venue)));
  return [...received].filter(([name]) => added.has(name)).map(([, order]) => order);
}

/** The new ones come last: they are reported once, and no later failure may lose that. */
async function write({ writer, dialect }: Store, json: string): Promise<readonly Added[]> {
  if (dialect.name === 'postgres') {
    await writer.raw(POSTGRES_TELL, [json]);
    return (await writer.raw(POSTGRES_ADD, [json])).rows;
  }
  await writer.raw(SQLITE_TELL, [json]);
  return writer.raw(SQLITE_ADD, [json]);
}

const nameOf = (venueOrderId: string, venue: string): string => `${venueOrderId}\n${venue}`;

/** By their identity at the venue, then by venue. */
export function listExternalOrders(
  store: Store,
  { limit, after }: Page<ExternalOrderCursor>,
): Promise<readonly ExternalOrder[]> {
  return new RowReader(store).all(EXTERNAL_ORDERS_TABLE, (q) => {
    q.orderBy(['venue_order_id', 'venue']).limit(limit);
    if (after === undefined) return;
    q.whereRaw('(venue_order_id, venue) > (?, ?)', [after.venueOrderId, after.venue]);
  });
}

/** The reads of the ledger about money. */
export class MoneyQueries {
  readonly #rows: RowReader;

  constructor(store: Store) {
    this.#rows = new RowReader(store);
  }

  findBalance(account: AccountId, { paper, venue }: CashKey): Promise<Balance | undefined> {
    return this.#rows.first(BALANCES, (q) => q.where({ account, paper, venue: venue ?? ON_PAPER }));
  }

  listBalances({ limit, after }: Page<BalanceCursor>): Promise<readonly Balance[]> {
    return this.#rows.all(BALANCES, (q) => {
      q.orderBy([{ column: 'account' }, { column: 'paper', order: 'desc' }, { column: 'venue' }]).limit(limit);
      if (after === undefined) return;
      q.where('account', '>=', after.account);
      const { account, paper, venue } = after;
      q.whereRaw('(account > ? or paper < ? or (paper = ? and venue > ?))', [account, paper, paper, venue ?? ON_PAPER]);
    });
  }

  listPositions(
    account: AccountId,
    { paper, strategyId }: HoldingFilter,
    { limit, after }: Page<PositionCursor>,
  ): Promise<readonly Position[]> {
    return this.#rows.all(POSITIONS, (q) => {
      // Spelt as in its partial indexes.
      if (paper) q.whereRaw('paper');
      else q.whereRaw('not paper');
      q.where({ account, strategy_id: strategyId ?? WHOLE_ACCOUNT })
        .orderBy(['market_id', 'token', 'venue'])
        .limit(limit);
      if (after === undefined) return;
      q.whereRaw('(market_id, token, venue) > (?, ?, ?)', [after.marketId, after.outcome, after.venue]);
    });
  }

  listRedeemable({ limit, after }: Page<RedeemableCursor>): Promise<readonly Position[]> {
    return this.#rows.all(POSITIONS, (q) => {
      // Spelt as in the partial index, which is matched by text.
      q.whereRaw('redeemable > 0').orderBy(['account', 'market_id', 'token', 'venue']).limit(limit);
      if (after === undefined) return;
      const { account, marketId, outcome, venue } = after;
      q.whereRaw('(account, market_id, token, venue) > (?, ?, ?, ?)', [account, marketId, outcome, venue]);
    });
  }

  listEntries(account: AccountId, paper: boolean, page: Page<string>): Promise<readonly JournalEntry[]> {
    return this.#rows.oldestFirst(ENTRIES, 'entry', page, (q) => q.where({ account, paper, line: 1 }));
  }

  listEquity(
    account: AccountId,
    { paper, strategyId }: HoldingFilter,
    { limit, after }: Page<Date>,
  ): Promise<readonly EquityPoint[]> {
    const page = { limit, ...(after === undefined ? {} : { after: comparable(after) }) };
    const own = { account, paper, strategy_id: strategyId ?? WHOLE_ACCOUNT };
    return this.#rows.newestFirst(EQUITY, 'at', page, (q) => q.where(own));
  }
}
