import { whole } from '../core/ledger/query.js';
import { formatMicro } from '../core/money.js';
import type { ExternalOrder, ExternalOrderCursor, ExternalOrders } from '../ports/external-orders.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** How they are printed. */
export interface ExternalOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

const HEAD = ['order', 'venue', 'market', 'side', 'price', 'shares', 'state', 'first seen'];

/** `stakeport external`: orders of the wallet that were not placed here, as far as a server saw them. Changes nothing. */
export async function external({ json = false }: ExternalOptions): Promise<void> {
  const read = (ledger: ExternalOrders) =>
    whole<ExternalOrder, ExternalOrderCursor>(
      (page) => ledger.listExternalOrders(page),
      (order) => order,
    );
  const orders = await withLedger('read', read);
  if (json) printJson(orders.map((order) => ({ ...order, conditionId: order.marketId })));
  else print(inWords(orders));
}

function inWords(orders: readonly ExternalOrder[]): string {
  if (orders.length === 0) return 'No orders of the wallet are known that were not placed here.';
  return columns([HEAD, ...orders.map(rowOf)]);
}

function rowOf({ venueOrderId, venue, marketId, side, price, shares, resting, firstSeen }: ExternalOrder): string[] {
  const [at, size] = [price, shares].map((amount) => (amount === null ? '-' : formatMicro(amount)));
  const state = resting ? 'rests' : 'traded';
  return [venueOrderId, venue, marketId, side ?? '-', at ?? '-', size ?? '-', state, firstSeen.toISOString()];
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = HEAD.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
