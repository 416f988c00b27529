import type { CashReading } from '../backtest/backtest-run.js';
import type { BetRow } from '../core/performance/bet.js';
import { betsWithClose, expectedProfit, inDollars } from '../core/performance/bet-plots.js';
import type { PlotPoint } from './thinning.js';

/** Equity over time, in dollars, and how far below its peak it was, as a part of the peak. */
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

/** How many there are of each word, most first. */
export function countsOf(words: Iterable<string>): readonly (readonly [word: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
