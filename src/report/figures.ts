import type { CashReading } from '../backtest/backtest-run.js';
import { ONE } from '../core/money.js';
import { type BetRow, bySettlement, type ClosePrice, isSettled, outlayOf } from '../core/performance/bet.js';
import type { PlotPoint } from './thinning.js';

/** Micro-dollars as inDollars, for a plot. */
export const inDollars = (micro: bigint): number => Number(micro) / Number(ONE);

/** Equity over time, in inDollars, and how far below its peak it was, as a part of the peak. */
export function equityPoints(marks: readonly CashReading[]): {
  readonly equity: readonly PlotPoint[];
  readonly below: readonly PlotPoint[];
} {
  const equity: PlotPoint[] = [];
  const below: PlotPoint[] = [];
  let peak = 0n;
  for (const [index, mark] of marks.entries()) {
    const raised: bigint = index === 0 ? mark.equity : peak + mark.deposited;
    peak = mark.equity > raised ? mark.equity : raised;
    const x = mark.at.getTime();
    equity.push({ x, y: inDollars(mark.equity) });
    below.push({ x, y: peak > 0n ? -Number(peak - mark.equity) / Number(peak) : 0 });
  }
  return { equity, below };
}

type ClosedBet = BetRow & { readonly close: ClosePrice };

/** Settled bets with a price of the close, in the order in which they settled. */
export const betsWithClose = (bets: readonly BetRow[]): readonly ClosedBet[] =>
  bets.filter((bet): bet is ClosedBet => isSettled(bet) && typeof bet.close !== 'string').sort(bySettlement);

/** The fair price of the close, as a number from 0 to 1. */
const fairOf = ({ close: { fair } }: ClosedBet): number => Number(fair.n) / Number(fair.d);

/** What a bet may expect to earn by the fair price of the close: its shares at that price, less all that was paid for them. */
const expectedProfit = (bet: ClosedBet): number => fairOf(bet) * inDollars(bet.shares) - inDollars(outlayOf(bet));

/**
 * How far results alone move the profit of these bets if the close was right, in dollars: one standard deviation. Bets on one outcome win
 * together.
 */
export function luckOf(bets: readonly BetRow[]): number {
  const shares = new Map<string, { held: number; fair: number }>();
  for (const bet of betsWithClose(bets)) {
    const name = `${bet.venue} ${bet.marketId} ${bet.outcome}`;
    const known = shares.get(name) ?? { held: 0, fair: fairOf(bet) };
    shares.set(name, { held: known.held + inDollars(bet.shares), fair: known.fair });
  }
  return Math.sqrt([...shares.values()].reduce((sum, { held, fair }) => sum + held * held * fair * (1 - fair), 0));
}

/** What bets earned, and what they could expect to earn by the close, each added up as they settled. */
export function profitPoints(bets: readonly BetRow[]): {
  readonly profit: readonly PlotPoint[];
  readonly expected: readonly PlotPoint[];
} {
  const profit: PlotPoint[] = [];
  const expected: PlotPoint[] = [];
  let [earned, foreseen] = [0n, 0];
  for (const bet of betsWithClose(bets)) {
    earned += bet.profit;
    foreseen += expectedProfit(bet);
    const x = bet.settledAt?.getTime() ?? 0;
    profit.push({ x, y: inDollars(earned) });
    expected.push({ x, y: foreseen });
  }
  return { profit, expected };
}

/** The price of the close less the average price paid, in points: cents a share. */
export const closingPoints = (bets: readonly BetRow[]): readonly number[] =>
  betsWithClose(bets).map(
    ({ close, stake, shares }) => (Number(close.price * shares - stake * ONE) / Number(shares * ONE)) * 100,
  );

const WIDEST = 10;

/** Values of a class of one point: it ends here, on the side that is farther from 0. The class of 0 holds nothing else. */
export interface PointClass {
  readonly end: number;
  readonly count: number;
}

/** How many values lie in each class of one point, from −10 to 10, and how many are 0; what lies beyond is in the first or the last. */
export function pointClasses(values: readonly number[]): readonly PointClass[] {
  const classes = Array.from({ length: 2 * WIDEST + 1 }, (_, at) => ({ end: at - WIDEST, count: 0 }));
  for (const value of values) {
    const end = Math.sign(value) * Math.min(WIDEST, Math.ceil(Math.abs(value)));
    const found = classes[end + WIDEST];
    if (found !== undefined) found.count += 1;
  }
  return classes;
}

/** The value in the middle; null of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** How many there are of each word, most first. */
export function countsOf(words: Iterable<string>): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
