import * as v from 'valibot';
import { OUTCOME_SIDES } from '../../core/market/market.js';
import { SIDES } from '../../core/market/side.js';
import { isoText } from '../../core/moment.js';
import { formatMicro } from '../../core/money.js';
import type { Order } from '../../core/order/order.js';
import type { BetRow } from '../../core/performance/bet.js';
import type { BookedMove } from '../../core/performance/booked-moves.js';
import { BET_MEMBERS, betWire } from './bet-wire.js';
import { type CsvCell, csvLine } from './csv.js';
import { orderOut, presentOrder } from './order-wire.js';
import { booleanText, decimalOut, means, momentOut, momentText, uuidOut } from './schema.js';

/** The query of every export. */
export const exportFilters = {
  from: v.optional(means(momentText, 'Only what happened at that moment or later.')),
  to: v.optional(means(momentText, 'Only what happened before that moment.')),
  paper: v.optional(
    means(booleanText, 'Only on paper, or only with real money; both where it is absent: a column says which.'),
  ),
};

/** A table as CSV: its line of names, and a line for each row. */
export interface CsvTable<Row> {
  readonly head: string;
  readonly line: (row: Row) => string;
}

function csvTable<Row, Wire extends Readonly<Record<string, CsvCell>>>(
  columns: readonly (keyof Wire & string)[],
  wireOf: (row: Row) => Wire,
): CsvTable<Row> {
  const line = (row: Row) => {
    const wire = wireOf(row);
    return csvLine(columns.map((name) => wire[name] ?? null));
  };
  return { head: csvLine(columns), line };
}

const amountOrNull = v.nullable(decimalOut);
const textOrNull = v.nullable(v.string());
const EVENT = means(textOrNull, 'The title of the event of the market.', 'Arsenal against Chelsea');

/** An order as files show it: as the API does, with the name of its game. */
export const exportedOrderOut = v.object({ ...orderOut.entries, event: EVENT });

/** A movement of money as files show it. */
export const exportedMoveOut = v.object({
  id: means(uuidOut, 'The entry of the journal.'),
  at: means(momentOut, 'When the money moved.'),
  paper: means(v.boolean(), 'False for real money.'),
  venue: means(textOrNull, 'Where the market trades, or the money lies; empty for cash on paper.', 'polymarket'),
  cause: means(
    v.string(),
    'Why: `fill`, `void` (a fill was undone), `settlement` (a result), `reversal` (of an amended result), `opening`, `deposit`, `withdrawal`, `reset` or `redemption`.',
    'fill',
  ),
  order_id: means(v.nullable(uuidOut), 'The order whose fill moved the money.'),
  event: EVENT,
  question: means(textOrNull, 'What the market asked.', 'Arsenal or Chelsea?'),
  outcome_label: means(textOrNull, 'The name of the outcome.', 'Arsenal'),
  market_id: means(textOrNull, 'The market; empty where the entry is about none, or does not say which.'),
  token: means(v.nullable(v.picklist(OUTCOME_SIDES)), 'YES is the first outcome of the market, NO its second.'),
  side: means(v.nullable(v.picklist(SIDES)), 'That of the order.'),
  shares: means(amountOrNull, 'Shares that were bought, sold or paid for; negative where a fill was undone.', '35.08'),
  price: means(amountOrNull, 'What each cost, brought or, by a result, paid, in USDC.', '0.57'),
  fee_usdc: means(decimalOut, 'The fee of the fill, in USDC.', '0.42985'),
  proceeds_usdc: means(amountOrNull, 'What the sale or the result brought before fees, in USDC.', '35.08'),
  cost_usdc: means(
    amountOrNull,
    'What the shares sold or paid for had cost on average, with the fees of their purchase.',
    '20.42545',
  ),
  profit_usdc: means(
    decimalOut,
    'Proceeds less cost and fee. The sum of the whole journal is what the account realised, without the fees of what is held.',
    '14.65455',
  ),
  cash_usdc: means(decimalOut, 'What the cash gained or, negative, lost.', '35.08'),
});

/** Bets, in the columns of `bets.csv`. */
export const BETS_CSV: CsvTable<BetRow> = csvTable(BET_MEMBERS, betWire);

type ExportedOrder = v.InferInput<typeof exportedOrderOut>;

/** Orders, in the columns of `orders.csv`. */
export const ORDERS_CSV: CsvTable<Order> = csvTable(
  Object.keys(exportedOrderOut.entries) as readonly (keyof ExportedOrder)[],
  (order): ExportedOrder => ({ ...presentOrder(order), event: order.intent.decidedOn?.event?.title ?? null }),
);

type ExportedMove = v.InferInput<typeof exportedMoveOut>;

/** Movements of money. */
export const JOURNAL_CSV: CsvTable<BookedMove> = csvTable(
  Object.keys(exportedMoveOut.entries) as readonly (keyof ExportedMove)[],
  moveWire,
);

function moveWire(move: BookedMove): ExportedMove {
  const { entry, of } = move;
  return {
    id: entry.id,
    at: isoText(entry.at),
    paper: entry.paper,
    venue: of?.venue ?? entry.venue,
    cause: entry.cause,
    order_id: entry.orderId,
    event: of?.event ?? null,
    question: of?.question ?? null,
    outcome_label: of?.label ?? null,
    market_id: of?.marketId ?? null,
    token: of?.outcome ?? null,
    side: move.side,
    shares: written(move.shares),
    price: written(move.price),
    fee_usdc: formatMicro(move.fee),
    proceeds_usdc: written(move.proceeds),
    cost_usdc: written(move.cost),
    profit_usdc: formatMicro(move.profit),
    cash_usdc: formatMicro(move.cash),
  };
}

const written = (amount: bigint | null): string | null => (amount === null ? null : formatMicro(amount));
