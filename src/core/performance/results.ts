import type { VenueName } from '../ids.js';
import type { Page, Slice } from '../ledger/query.js';
import { NO_USDC, plus, type Usdc } from '../money.js';
import { type BetRow, isSettled } from './bet.js';
import { type BetBook, bookName } from './bet-ledger.js';
import { sumsOf } from './bet-sums.js';
import { seededResampling } from './intervals.js';
import { bySumKey, type KeptSums, type ResultBy, type SumKey, sumName } from './kept-sums.js';
import { none } from './measure.js';
import { type MeasuresByName, measuresOf, measuresOfSums, yieldOfSums } from './measures.js';

/** How the interval of a yield is had: from sums over events, or by drawing events again and again. */
export const YIELD_INTERVALS = ['normal', 'bootstrap'] as const;

/** One of them. */
export type YieldInterval = (typeof YIELD_INTERVALS)[number];

/** What the bets that share one property showed. */
export interface ResultRow extends SumKey {
  /** Settled ones. */
  readonly bets: number;
  readonly open: number;
  readonly measures: MeasuresByName;
}

/** The place of a row among those of one division. */
export type ResultCursor = Pick<SumKey, 'key' | 'venue'>;

/** A bet that results are made of. */
export interface CountedBet {
  readonly bet: BetRow;
  /** What it is counted under. */
  readonly key: string | null;
  /** False of an open bet whose mark is not known. */
  readonly isMarked: boolean;
}

/** How bets are divided and measured. */
export interface ResultTerms {
  readonly by: ResultBy;
  readonly interval: YieldInterval;
  /** 128 bits or more in hexadecimal, from which all draws follow. */
  readonly seed: string;
  /** The books of the account: its capital is what they were worth before their first bet. */
  readonly books: ReadonlyMap<string, Pick<BetBook, 'opening'>>;
}

/** The page of some divisions, in the order in which they are shown. */
export function resultPage<T extends SumKey>(
  rows: readonly T[],
  { limit, after }: Page<ResultCursor>,
): Slice<T, ResultCursor> {
  const sorted = rows.toSorted(bySumKey);
  const rest = after === undefined ? sorted : sorted.filter((row) => bySumKey(row, { ...row, ...after }) > 0);
  const items = rest.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rest.length > limit && last !== undefined ? { key: last.key, venue: last.venue } : null };
}

/** Of how many bets sums of one division are. */
export const betsIn = (kept: readonly KeptSums[]): number =>
  Number(kept.reduce((all, { sums }) => all + sums.of.all, 0n));

/** The rows of kept sums; `open` are all open bets that are in them. */
export function resultsOfSums(
  kept: readonly KeptSums[],
  open: readonly CountedBet[],
  { by, books }: Pick<ResultTerms, 'by' | 'books'>,
  page: Page<ResultCursor>,
): Slice<ResultRow, ResultCursor> {
  const marks = new Map<string, Usdc | null>();
  for (const { bet, key, isMarked } of open) {
    const name = sumName({ ...moneyOf(bet), by, key });
    const known = marks.get(name) ?? NO_USDC;
    marks.set(name, marks.get(name) === null || !isMarked ? null : plus(known, bet.profit));
  }
  const { items, next } = resultPage(
    kept.filter(({ sums }) => sums.of.all > 0n),
    page,
  );
  return {
    items: items.map(({ sums, ...key }) => {
      const isOpen = sums.of.all > sums.of.settled;
      const openProfit = isOpen ? (marks.get(sumName(key)) ?? null) : NO_USDC;
      return {
        ...key,
        bets: Number(sums.of.settled),
        open: Number(sums.of.all - sums.of.settled),
        measures: measuresOfSums(sums, { openProfit, capital: books.get(bookName(key))?.opening ?? null }),
      };
    }),
    next,
  };
}

const moneyOf = ({ paper, venue }: BetRow): { readonly paper: boolean; readonly venue: VenueName } => ({
  paper,
  venue,
});

interface Part extends SumKey {
  readonly counted: CountedBet[];
}

/** The rows of bets: kinds of money and venues apart. */
export function resultsOfBets(bets: readonly CountedBet[], terms: ResultTerms): readonly ResultRow[] {
  const parts = new Map<string, Part>();
  for (const one of bets) {
    const of: SumKey = { ...moneyOf(one.bet), by: terms.by, key: one.key };
    const part = parts.get(sumName(of));
    if (part === undefined) parts.set(sumName(of), { ...of, counted: [one] });
    else part.counted.push(one);
  }
  return [...parts.values()].map((part) => resultOf(part, terms));
}

function resultOf({ counted, ...key }: Part, { interval, seed, books }: ResultTerms): ResultRow {
  const bets = counted.map(({ bet }) => bet);
  const settled = bets.filter(isSettled).length;
  const capital = books.get(bookName(key))?.opening ?? NO_USDC;
  const performance = { bets, marks: [], capital, resampling: seededResampling(seed) };
  const measures = measuresOf(performance, {
    ...(counted.some(({ isMarked }) => !isMarked) && { profit_usdc: none('no_mark', bets.length) }),
    ...(interval === 'normal' && { yield: yieldOfSums(sumsOf(bets)) }),
  });
  return { ...key, bets: settled, open: bets.length - settled, measures };
}
