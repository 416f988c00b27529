import type { Page } from '../../core/ledger/query.js';
import type { ExternalOrder, ExternalOrderCursor } from '../../ports/external-orders.js';
import { as, flagColumn, microColumn, momentColumn, orNull, textColumn } from './columns.js';
import { type Dialect, postgresDialect, sqliteDialect } from './dialect.js';
import { RowReader } from './row-reader.js';
import type { Store } from './store.js';
import { table } from './table.js';
import { introducing } from './tables.js';

/** Orders of the wallet that were not placed here. */
export const EXTERNAL_ORDERS_TABLE = table<ExternalOrder>(
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
