import type { EquityPoint } from '../../core/account/equity.js';
import type { JournalAccount, JournalCause, JournalEntry, JournalLine } from '../../core/account/journal.js';
import type { AccountId, MarketId, OrderId, StrategyId } from '../../core/ids.js';
import type { OutcomeSide } from '../../core/market/market.js';
import type { Usdc } from '../../core/money.js';
import { WHOLE_ACCOUNT } from './account-table.js';
import { amount, type Cell, flag, list, moment, optional, stamp, text, whole } from './cells.js';
import type { Rows, Table } from './tables.js';

/** A line, the entry that it is of, and which of its lines: the first is 1. */
export interface EntryLine {
  readonly entry: Omit<JournalEntry, 'lines'>;
  readonly n: number;
  readonly line: JournalLine;
}

/** The journal, line by line. A second line with the same number is refused: an entry is made once. */
export const JOURNAL_LINES: Table<EntryLine> = {
  name: 'journal_lines',
  columns: {
    account: 'text',
    paper: 'boolean',
    entry: 'text',
    line: 'integer',
    at: 'text',
    cause: 'text',
    order_id: 'text',
    ledger: 'text',
    market_id: 'text',
    token: 'text',
    amount: 'integer',
  },
  key: ['account', 'paper', 'entry', 'line'],
  replaced: 'never',
  encode: ({ entry, n, line }) => [
    ...[entry.account, entry.paper, entry.id, n],
    ...[stamp(entry.at), entry.cause, entry.orderId],
    ...[line.ledger, line.held?.marketId ?? null, line.held?.token ?? null, Number(line.amount)],
  ],
  decode: decodeLine,
};

function decodeLine(cells: readonly Cell[]): EntryLine {
  const [account, paper, id, n, at, cause, orderId, ledger, marketId, token, sum] = cells;
  return {
    entry: {
      id: text(id),
      account: text(account) as AccountId,
      paper: flag(paper),
      at: moment(at),
      cause: text(cause) as JournalCause,
      orderId: optional(orderId, text) as OrderId | null,
    },
    n: whole(n),
    line: {
      ledger: text(ledger) as JournalAccount,
      held: optional(marketId, (market) => ({ marketId: text(market) as MarketId, token: text(token) as OutcomeSide })),
      amount: amount(sum) as Usdc,
    },
  };
}

/** Whole entries: the first line of each, read with all of them. */
export const ENTRIES: Rows<JournalEntry> = {
  name: JOURNAL_LINES.name,
  columns: JOURNAL_LINES.columns,
  parts: (dialect) => {
    const { name, columns, key } = JOURNAL_LINES;
    const line = dialect.array(Object.keys(columns).map((column) => `part.${column}`));
    const same = key.filter((column) => column !== 'line').map((column) => `part.${column} = ${name}.${column}`);
    return dialect.nested(`select ${dialect.gathered(line)} from ${name} as part where ${same.join(' and ')}`);
  },
  decode: (cells) => {
    const lines = list(cells.at(-1)).map(decodeLine);
    return { ...decodeLine(cells).entry, lines: lines.sort((a, b) => a.n - b.n).map(({ line }) => line) };
  },
};

const WORTH = {
  cash: 'integer',
  positions: 'integer',
  realised: 'integer',
  unrealised: 'integer',
  fees: 'integer',
  redeemable: 'integer',
} as const;

/** What accounts and their strategies were worth. The same moment again replaces the point. */
export const EQUITY: Table<EquityPoint> = {
  name: 'equity',
  columns: { account: 'text', paper: 'boolean', strategy_id: 'text', at: 'text', ...WORTH },
  key: ['account', 'paper', 'strategy_id', 'at'],
  replaced: Object.keys(WORTH),
  encode: ({ account, paper, strategyId, at, cash, positions, realised, unrealised, fees, redeemable }) => [
    ...[account, paper, strategyId ?? WHOLE_ACCOUNT, stamp(at)],
    ...[cash === null ? null : Number(cash), Number(positions), Number(realised), Number(unrealised), Number(fees)],
    Number(redeemable),
  ],
  decode: ([account, paper, strategyId, at, cash, positions, realised, unrealised, fees, redeemable]) => ({
    account: text(account) as AccountId,
    paper: flag(paper),
    strategyId: strategyId === WHOLE_ACCOUNT ? null : (text(strategyId) as StrategyId),
    at: moment(at),
    cash: optional(cash, amount) as Usdc | null,
    positions: amount(positions) as Usdc,
    realised: amount(realised) as Usdc,
    unrealised: amount(unrealised) as Usdc,
    fees: amount(fees) as Usdc,
    redeemable: amount(redeemable) as Usdc,
  }),
};
