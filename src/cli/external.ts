import { whole } from '../core/ledger/query.js';
import { marketName } from '../core/market/market.js';
import { formatMicro } from '../core/money.js';
import type { ExternalOrder, ExternalOrderCursor, ExternalOrders } from '../ports/external-orders.js';
import { momentShown } from './api/output/shown.js';
import { describedMarkets, type MarketsByName } from './described-markets.js';
import { print, printJson } from './print.js';
import { withLedger } from './with-ledger.js';

/** How they are printed. */
export interface ExternalOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

const HEAD = ['order', 'venue', 'market', 'outcome', 'side', 'price', 'shares', 'state', 'first seen'];

/** `stakeport external`: orders of the wallet that were not placed here, as far as a server saw them. Changes nothing. */
export async function external({ json = false }: ExternalOptions): Promise<void> {
  const read = (ledger: ExternalOrders) =>
    whole<ExternalOrder, ExternalOrderCursor>(
      (page) => ledger.listExternalOrders(page),
      (order) => order,
    );
  const orders = await withLedger('read', read);
  const markets = await describedMarkets(orders);
  const named = orders.map((order) => ({ ...order, ...namesOf(order, markets) }));
  if (json) printJson(named.map((order) => ({ ...order, conditionId: order.marketId })));
  else print(inWords(named));
}

/** What people call the market and the outcome of an order; null where that is not known. */
interface Named {
  readonly event: string | null;
  readonly question: string | null;
  readonly outcomeLabel: string | null;
}

function namesOf({ tokenId, ...ref }: ExternalOrder, markets: MarketsByName): Named {
  const market = markets.get(marketName(ref));
  const outcome = market?.outcomes?.find((one) => tokenId !== null && one.tokenId === tokenId);
  return {
    event: market?.event?.title ?? null,
    question: market?.question ?? null,
    outcomeLabel: outcome?.label ?? null,
  };
}

function inWords(orders: readonly (ExternalOrder & Named)[]): string {
  if (orders.length === 0) return 'No orders of the wallet are known that were not placed here.';
  return columns([HEAD, ...orders.map(rowOf)]);
}

function rowOf(order: ExternalOrder & Named): string[] {
  const { venueOrderId, venue, marketId, event, question, outcomeLabel, side, price, shares, resting, firstSeen } =
    order;
  const market = event ?? question ?? marketId;
  const [at, size] = [price, shares].map((amount) => (amount === null ? '-' : formatMicro(amount)));
  const state = resting ? 'rests' : 'traded';
  return [
    ...[venueOrderId, venue, market, outcomeLabel ?? '-', side ?? '-', at ?? '-', size ?? '-'],
    ...[state, momentShown(firstSeen)],
  ];
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
