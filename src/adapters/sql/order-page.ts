import { InvariantBroken } from '../../core/errors.js';
import type { Order } from '../../core/order/order.js';
import { type Cell, rowsIn } from './cells.js';
import type { Dialect } from './dialect.js';
import { FILLS_OF_ORDER, NUMBERED_FILLS } from './fill-table.js';
import { orderIn } from './order-row.js';
import { ORDERS } from './order-table.js';
import type { Template } from './tables.js';

const COLUMNS = Object.keys(ORDERS.columns);
const WIDTH = COLUMNS.length;

/**
 * Reads the orders whose `account` and `id` a subquery gives, with their fills, as one text. A row has an order and its first
 * fill, if there is one; every further fill is a row of its own after the order's id. SQLite needs two thirds of the time that
 * lists of fills within the rows would take.
 */
export function readingOrders(dialect: Dialect): Template {
  const fill = Object.keys(NUMBERED_FILLS.columns).map((name) => `part.${name}`);
  const first = dialect.array([...COLUMNS.map((name) => `own.${name}`), ...fill]);
  const row = `case when part.n > 1 then ${dialect.array(['own.id', ...fill])} else ${first} end`;
  const found = `select ${dialect.text(dialect.gathered(row))} as found from (`;
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
