/**
 * Backtests: strategies played over tapes, and what came of them.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { backtest, backtestResultOf, summaryOf, writeRun } from 'stakeport/backtest';
 *
 * const rules = { outcome: { index: 0 }, filter: { min_odds: 2 }, sizing: { method: 'flat', value: 10 } };
 * const homes = { name: 'homes', sport: 'soccer', rules, bankroll_cap: 500, stake_cap: 50 };
 * const run = await backtest({ tapes: ['march.jsonl.gz', 'april.jsonl.gz'], strategies: [homes] });
 * const result = backtestResultOf(run);
 * await writeRun(run, result, 'runs/homes'); // report.html, result.json, bets.csv and the rest
 * console.log(summaryOf(result));
 * ```
 */

export type { QuotedPrices } from '../core/market/book.js';
export type { Ratio } from '../core/money.js';
export type { BetResult, BetRow, ClosePrice, NoClose } from '../core/performance/bet.js';
export type { EquityReading } from '../core/performance/equity.js';
export type { WrittenMeasure } from '../core/performance/measure.js';
export type { SeenOutcome } from '../core/strategy/conditions/candidate.js';
export type { ShownMeasure, SweepFigures, TestBet, VariantFigures, WindowFigures } from '../sweep/figures.js';
export type {
  DeflatedSharpe,
  RankedVariant,
  SweepOutcome,
  SweepVerdict,
  WalkedStep,
  WalkForward,
} from '../sweep/outcome.js';
export {
  type GivenWindow,
  type Objective,
  type SweepPlan,
  SweepRefused,
  type WalkedWindows,
  type WindowSpan,
} from '../sweep/plan.js';
export { type SweepOptions, type SweepProgress, sweep } from '../sweep/sweep.js';
export type { TrialCount } from '../sweep/trials-file.js';
export type { Variant } from '../sweep/variants.js';
export type { SweepWindow } from '../sweep/windows.js';
export { type BacktestPlace, type BacktestProgress, backtest } from './backtest.js';
export {
  type BacktestBody,
  type BacktestOptions,
  BacktestRefused,
  type BacktestStrategy,
  BacktestTapeUnreadable,
} from './backtest-plan.js';
export type {
  BacktestRun,
  CashReading,
  MarketForecast,
  PlayedStrategy,
  RunHeader,
  RunTape,
  RunWarning,
  SignalForecast,
} from './backtest-run.js';
export { writeRun } from './files.js';
export type { ProposedBet } from './proposed-bet.js';
export {
  type BacktestResult,
  backtestResult,
  backtestResultOf,
  type StrategyResult,
} from './result.js';
export { type BacktestSignal, readSignals, SignalRowInvalid } from './signal-rows.js';
export { summaryOf } from './summary.js';
