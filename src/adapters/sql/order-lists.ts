import { InvariantBroken } from '../../core/errors.js';
import type { AccountId, OrderId } from '../../core/ids.js';
import { type OrderFilter, orderStatusesOf, type Page } from '../../core/ledger/query.js';
import { ORDER_STATUSES, type OrderStatus } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import type { Dialect } from './columns.js';
import { type Cell, LIMITED, rowsIn } from './columns.js';
import { FILLS_OF_ORDER, NUMBERED_FILLS } from './fill-table.js';
import { orderIn } from './order-row.js';
import { ORDERS } from './order-table.js';
import { byKey, RecentlyRead } from './recently-read.js';
import { RecentMap } from './remembered.js';
import { comparable } from './row-reader.js';
import type { Store } from './store.js';
import type { Template } from './table.js';

/** A piece of SQL, and what its marks stand for. */
interface Part {
  readonly sql: string;
  readonly bindings: readonly (string | number)[];
}

type Filter = Omit<OrderFilter, 'placedAfter' | 'placedBefore'>;

/** Up to this many orders are read and sorted, rather than searched for among all orders of a period. */
const FEW = 500;
const MANY = `(select count(*) from few) > ${FEW}`;

/** Pages of an account's orders, newest first or oldest first, each read from indexes by one prepared statement. */
export class OrderLists {
  readonly #orders: Template;
  readonly #statements = new RecentMap<string>(STATEMENTS);
  readonly #known = new RecentlyRead((rows) => ordersIn(`[${rows.join(',')}]`));

  constructor(private readonly store: Pick<Store, 'dialect' | 'reads'>) {
    this.#orders = readingOrders(store.dialect);
  }

  /** By id. */
  byId(account: AccountId, filter: Filter, { limit, after }: Page<OrderId>): Promise<readonly Order[]> {
    const { way, past, sorted } = WAYS[filter.oldestFirst === true ? 'up' : 'down'];
    const own = [part('account = ?', account), ...(after === undefined ? [] : [part(`id ${past} ?`, after)])];
    // The database merges the lists no further than the page.
    return this.#read(
      joined([matching(filter, own), part(`order by id ${way} ${LIMITED}`, limit)], ' '),
      sorted(newerId),
    );
  }

  /** By when they were placed, after the order `after`; only orders of the period are read, or few. */
  byMoment(account: AccountId, filter: OrderFilter, limit: number, after?: Order): Promise<readonly Order[]> {
    const { placedAfter, placedBefore, oldestFirst, ...rest } = filter;
    const { way, sorted } = WAYS[oldestFirst === true ? 'up' : 'down'];
    const own = part('account = ?', account);
    const period =
      oldestFirst === true
        ? [...within('<', placedBefore), ...from('>', placedAfter, after)]
        : [...within('>', placedAfter), ...from('<', placedBefore, after)];
    // As in the partial index by moment; true of every order.
    const inPeriod = having(PLACES, [own, part('price > 0'), ...period, ...beside(rest)]);
    const newest = part(`order by placed_at ${way}, id ${way} ${LIMITED}`, limit);
    if (Object.keys(rest).length === 0) return this.#read(joined([inPeriod, newest], ' '), sorted(newer));
    const few = joined([part('with few as materialized (select id from ('), matching(rest, [own])], '');
    const known = having(PLACES, [
      own,
      ...period,
      part(`id ${this.store.dialect.among('select id from few')} and not ${MANY}`),
    ]);
    const searched = part(`order by placed_at ${way}, id ${way} limit case when ${MANY} then ? else 0 end`, limit);
    const either = [known, part(`union all ${PLACES} from (`), inPeriod, searched, part(') as searched')];
    const page = joined([few, part(`) as orders limit ${FEW + 1})`), ...either, newest], ' ');
    return this.#read(page, sorted(newer));
  }

  async #read(page: Part, order: (a: Order, b: Order) => number): Promise<readonly Order[]> {
    const sql = this.#statements.get(page.sql) ?? this.#statement(page.sql);
    return this.store.reads.made({ sql, values: page.bindings }, (text) =>
      this.#known.records(byKey(text)).sort(order),
    );
  }

  #statement(page: string): string {
    let marks = 0;
    const sql = this.#orders(page.replaceAll('?', () => this.store.dialect.parameter(marks++)));
    this.#statements.put(page, sql);
    return sql;
  }
}

/** Statements remembered: more than the combinations of filters that are in use. */
const STATEMENTS = 100;

/** The joined rows of a page need not come in its order. */
const newerId = (a: Order, b: Order): number => (a.id < b.id ? 1 : -1);
const newer = (a: Order, b: Order): number => b.placedAt.getTime() - a.placedAt.getTime() || newerId(a, b);

type Compared = (a: Order, b: Order) => number;

/** How lists go: the newest first, and the oldest first. */
const WAYS = {
  down: { way: 'desc', past: '<', sorted: (order: Compared): Compared => order },
  up: {
    way: 'asc',
    past: '>',
    sorted:
      (order: Compared): Compared =>
      (a, b) =>
        order(b, a),
  },
} as const;

/** The keys of orders; their other columns are read once the page is known. */
const KEYS = 'select account, id';
/** The keys of orders with what a page by moment is sorted by. */
const PLACES = `${KEYS}, placed_at`;

/** Statuses of orders that may still trade: an account's cash bounds how many it has. */
const WORKING: readonly OrderStatus[] = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'];

/**
 * Lists that together hold what meets the filter, each in order by an index. Where the status or the paper flag is free, there
 * is a list for each of their values: so few indexes serve the combinations. Within one market, and for a venue of a strategy,
 * the index is read past what does not match, and the orders are not.
 */
function matching(filter: Filter, own: readonly Part[]): Part {
  const { paper, marketId, strategyId, venue } = filter;
  const list = (conditions: readonly Part[]) => inWay(filter, conditions);
  const wanted = orderStatusesOf(filter);
  const isFree = wanted === null && paper === undefined;
  const isWorking = wanted?.every((status) => WORKING.includes(status)) ?? false;
  if (marketId !== undefined && !isWorking && (isFree || strategyId === undefined))
    return list([part('market_id = ?', marketId), ...beside({ ...filter, marketId: undefined }), ...own]);
  if (isFree && strategyId === undefined && venue === undefined) return list(own);
  const statuses = wanted ?? ORDER_STATUSES;
  if (statuses.length === 0) return list([...own, part('1 = 0')]);
  const flags = paper === undefined ? ['paper', 'money'] : [paper ? 'paper' : 'money'];
  const kinds = statuses.flatMap((one) => flags.map((flag) => `${one}/${flag}`));
  return joined(
    kinds.map((kind) => list([...ofKind(kind, filter), ...own])),
    ' union all ',
  );
}

// Spelt as in their indexes: one text, so that no database prefers an index of one of these columns.
const KIND = `status || '/' || case when paper then 'paper' else 'money' end`;

/** Searches by the index of the strategy, which has fewer orders than a venue, or else of the venue; the rest is compared. */
function ofKind(kind: string, { marketId, strategyId, venue }: Filter): readonly Part[] {
  const by = (column: string, value: string) => part(`(${column} || '/' || ${KIND}) = ?`, `${value}/${kind}`);
  if (strategyId !== undefined)
    return [by('strategy_id', strategyId), part('strategy_id is not null'), ...beside({ marketId, venue })];
  return [venue === undefined ? part(`(${KIND}) = ?`, kind) : by('venue', venue), ...beside({ marketId })];
}

/** Conditions for what is found by others: not one that an index serves. */
function beside(filter: { readonly [Name in keyof Filter]: Filter[Name] | undefined }): readonly Part[] {
  const { marketId, strategyId, venue, status, paper } = filter;
  const statuses = status === undefined ? null : orderStatusesOf({ status });
  const compared = { market_id: marketId, strategy_id: strategyId, venue };
  const texts = Object.entries(compared).flatMap(([column, value]) =>
    value === undefined ? [] : [part(`coalesce(${column}, '') = ?`, value)],
  );
  const flags = paper === undefined ? [] : [part(`paper = ${paper}`)];
  const among = statuses === null ? [] : [part(`status in (${statuses.map(() => '?').join(', ')})`, ...statuses)];
  return [...texts, ...flags, ...among];
}

const within = (than: '<' | '>', bound: Date | undefined): readonly Part[] =>
  bound === undefined ? [] : [part(`placed_at ${than} ?`, comparable(bound))];

/** One bound where a list begins, the nearer of the two: SQLite would search by the first, and filter by the other. */
function from(than: '<' | '>', bound: Date | undefined, after: Order | undefined): readonly Part[] {
  if (after === undefined) return within(than, bound);
  const isNearer = bound !== undefined && (than === '<' ? bound <= after.placedAt : bound >= after.placedAt);
  if (isNearer) return within(than, bound);
  return [part(`(placed_at, id) ${than} (?, ?)`, comparable(after.placedAt), after.id)];
}

/** Postgres merges lists that are in order by themselves. */
function inWay({ oldestFirst }: Pick<Filter, 'oldestFirst'>, conditions: readonly Part[]): Part {
  const { way } = WAYS[oldestFirst === true ? 'up' : 'down'];
  return joined([part(`${KEYS} from (`), having(KEYS, conditions), part(` order by id ${way}) as list`)], '');
}

const having = (columns: string, conditions: readonly Part[]): Part =>
  joined([part(`${columns} from orders where`), joined(conditions, ' and ')], ' ');

const part = (sql: string, ...bindings: Part['bindings']): Part => ({ sql, bindings });

const joined = (parts: readonly Part[], between: string): Part =>
  part(parts.map(({ sql }) => sql).join(between), ...parts.flatMap(({ bindings }) => bindings));

const COLUMNS = Object.keys(ORDERS.columns);
const WIDTH = COLUMNS.length;

/**
 * Reads the orders whose `account` and `id` a subquery gives, with their fills, as one text, a row a line. A row has an order and its first
 * fill, if there is one; every further fill is a row of its own after the order's id. SQLite needs two thirds of the time that
 * lists of fills within the rows would take.
 */
function readingOrders(dialect: Dialect): Template {
  const fill = Object.keys(NUMBERED_FILLS.columns).map((name) => `part.${name}`);
  const first = dialect.array([...COLUMNS.map((name) => `own.${name}`), ...fill]);
  const row = `case when part.n > 1 then ${dialect.array(['own.id', ...fill])} else ${first} end`;
  const found = `select ${dialect.lines(row)} as lines from (`;
  // `cross join`, as SQLite must not read the orders or the fills first.
  return (keys) => `${found}${keys}) as page cross join orders as own
    left join fills as part on part.account = own.account and part.order_id = own.id
    where own.account = page.account and own.id = page.id`;
}

/** The orders in such a text, in its order. @throws InvariantBroken when the first fill of an order is missing */
export function ordersIn(text: string): Order[] {
  const rows = rowsIn(text);
  const fills = new Map<Cell | undefined, (readonly Cell[])[]>();
  for (const row of rows) {
    const [id] = row;
    const fill = row.slice(isFirst(row) ? WIDTH : 1);
    const known = fills.get(id);
    if (known !== undefined) known.push(fill);
    else fills.set(id, fill[0] === null ? [] : [fill]);
  }
  const orders = rows.filter(isFirst);
  if (orders.length < fills.size) throw new InvariantBroken('the fills of an order are numbered from 1');
  return orders.map((row) => orderIn(row, FILLS_OF_ORDER.decode(fills.get(row[0]) ?? [])));
}

const isFirst = (row: readonly Cell[]): boolean => row.length > WIDTH;
