import type { JournalEntry, JournalLine } from '../../core/account/account.js';
import type { EquityPoint } from '../../core/account/portfolio.js';
import {
  as,
  either,
  flagColumn,
  group,
  microColumn,
  momentColumn,
  orEmpty,
  orNull,
  type Shape,
  textColumn,
  wholeColumn,
} from './columns.js';
import { partsOf, rows, table } from './table.js';

type EntryHead = Omit<JournalEntry, 'lines'>;

/** A line, its entry, and its number within the entry, from 1. */
export interface EntryLine {
  readonly entry: EntryHead;
  readonly n: number;
  readonly line: JournalLine;
}

const HEAD: Shape<EntryHead> = {
  account: textColumn(),
  paper: flagColumn(),
  venue: orEmpty(textColumn()),
  id: as('entry', textColumn()),
  at: momentColumn(),
  cause: textColumn(),
  orderId: orNull(textColumn()),
};

/** The journal, line by line. A second line with the same number is refused: an entry is written once. */
export const JOURNAL_LINES = table<EntryLine>(
  'journal_lines',
  {
    entry: group(HEAD),
    n: as('line', wholeColumn()),
    line: group<JournalLine>({
      ledger: textColumn(),
      held: either<NonNullable<JournalLine['held']>>({
        marketId: textColumn(),
        outcome: as('token', textColumn()),
        venue: as('held_venue', textColumn()),
      }),
      amount: microColumn(),
    }),
  },
  { key: ['account', 'paper', 'entry', 'line'], replaces: 'nothing' },
);

const byNumber = (a: EntryLine, b: EntryLine): number => a.n - b.n;

/** Whole entries: the first line of each, read with all of them. */
export const ENTRIES = rows<JournalEntry>(JOURNAL_LINES.name, {
  ...HEAD,
  lines: partsOf(JOURNAL_LINES, { account: 'account', paper: 'paper', entry: 'entry' }, (lines) =>
    lines.toSorted(byNumber).map(({ line }) => line),
  ),
});

/** What accounts and their strategies were worth. The same moment again replaces the point. */
export const EQUITY = table<EquityPoint>(
  'equity',
  {
    account: textColumn(),
    paper: flagColumn(),
    strategyId: orEmpty(textColumn()),
    at: momentColumn(),
    cash: orNull(microColumn()),
    positions: microColumn(),
    realised: microColumn(),
    unrealised: microColumn(),
    fees: microColumn(),
    redeemable: microColumn(),
  },
  { key: ['account', 'paper', 'strategy_id', 'at'] },
);
