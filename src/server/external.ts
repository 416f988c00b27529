import { whole } from '../core/ledger/query.js';
import { formatMicro } from '../core/money.js';
import type { ExternalOrder } from '../ports/external-orders.js';
import { ALONE } from './alone.js';
import { configOrExit } from './run.js';
import { openStandingStore, silenceIn, wordsOf } from './standing-store.js';

/** How they are told. */
export interface ExternalOptions {
  /** One JSON document on standard output in place of lines. */
  readonly json?: boolean;
}

const HEAD = ['order', 'market', 'side', 'price', 'shares', 'state', 'first seen'];

/** `stakeport external`: the orders of the wallet that were not placed here, as far as they were seen. Changes nothing. */
export async function external({ json = false }: ExternalOptions): Promise<void> {
  const { database } = configOrExit(ALONE);
  if (database.kind === 'memory' || database.url === 'sqlite::memory:')
    return fail('Orders of others are kept in a database that lasts: set DATABASE_URL.');
  try {
    const ledger = await openStandingStore(database.url);
    const orders = await whole<ExternalOrder, string>(
      (page) => ledger.listExternalOrders(page),
      ({ venueOrderId }) => venueOrderId,
    ).finally(() => ledger.close());
    process.stdout.write(`${json ? JSON.stringify(orders.map(wireOf)) : inWords(orders)}\n`);
  } catch (error) {
    fail(wordsOf(silenceIn(error)));
  }
}

function inWords(orders: readonly ExternalOrder[]): string {
  if (orders.length === 0) return 'No order of the wallet is known that was not placed here.';
  return columns([HEAD, ...orders.map(rowOf)]);
}

function rowOf({ venueOrderId, conditionId, side, price, shares, resting, firstSeen }: ExternalOrder): string[] {
  const [at, size] = [price, shares].map((amount) => (amount === null ? '-' : formatMicro(amount)));
  const state = resting ? 'rests' : 'traded';
  return [venueOrderId, conditionId, side ?? '-', at ?? '-', size ?? '-', state, firstSeen.toISOString()];
}

function wireOf({ price, shares, ...rest }: ExternalOrder): object {
  const decimal = (amount: bigint | null) => (amount === null ? null : formatMicro(amount));
  return { ...rest, price: decimal(price), shares: decimal(shares) };
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

function fail(words: string): void {
  process.stderr.write(`${words}\n`);
  process.exitCode = 1;
}
