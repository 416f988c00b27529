import type { PlayedStrategy } from '../backtest/backtest-run.js';
import { type BetRow, bySettlement, isSettled } from '../core/performance/bet.js';
import { type BetSums, sumsOf } from '../core/performance/bet-sums.js';
import { dailyReturns, type EquityReading } from '../core/performance/equity.js';
import { type Resampling, seededResampling } from '../core/performance/intervals.js';
import { type WrittenMeasure, writtenMeasure } from '../core/performance/measure.js';
import { type MeasureName, type MeasuresByName, measuresOf, yieldOfSums } from '../core/performance/measures.js';
import type { Objective, WindowSpan } from './plan.js';
import {
  betsOfSlice,
  betsWithoutStart,
  datedBets,
  type EventStarts,
  isDayOf,
  marksOfSlice,
  type SweepWindow,
} from './windows.js';

/** The measures that a leaderboard has. */
export const SHOWN_MEASURES = [
  'profit_usdc',
  'turnover_usdc',
  'yield',
  'yield_z',
  'clv_net',
  'max_drawdown',
  'sharpe_daily',
] as const satisfies readonly MeasureName[];

/** One of them. */
export type ShownMeasure = (typeof SHOWN_MEASURES)[number];

/** What bets of one span showed. */
export interface SweepFigures {
  /** Settled events, and settled bets. */
  readonly events: number;
  readonly bets: number;
  readonly open: number;
  /** Dropped: on events of the span, and first filled outside of it. */
  readonly straddled: number;
  readonly measures: Readonly<Record<ShownMeasure, WrittenMeasure>>;
  /** How many deviations the profit lies above 0; null where there are too few bets. */
  readonly z: number | null;
  /** What variants are ranked by; null where there are too few bets. */
  readonly objective: number | null;
  /** What settled bets earned and staked, in micro-dollars. */
  readonly earned: string;
  readonly staked: string;
}

/** A settled bet of a test window: when it settled, and what it earned and staked, in micro-dollars. */
export type TestBet = readonly [at: number, earned: number, staked: number];

/** What a variant showed in one window. */
export interface WindowFigures {
  readonly window: string;
  readonly train: SweepFigures;
  readonly test: SweepFigures | null;
  /** The bets of its test, as they settled. */
  readonly tested: readonly TestBet[];
}

/** What a variant showed. */
export interface VariantFigures {
  readonly name: string;
  readonly windows: readonly WindowFigures[];
  /** Of all train windows together, each bet once, and of all tests. */
  readonly train: SweepFigures;
  readonly test: SweepFigures | null;
  /** The returns of the days of train windows. */
  readonly days: readonly number[];
  readonly withoutStart: number;
}

/** What figures depend on beside bets. */
export interface FigureTerms {
  readonly windows: readonly SweepWindow[];
  readonly starts: EventStarts;
  readonly objective: Objective;
}

/** The figures of a variant that was played over the whole of the tapes. */
export function variantFigures(played: PlayedStrategy, { windows, starts, objective }: FigureTerms): VariantFigures {
  const dated = datedBets(played.bets, starts);
  const capital = played.capital;
  const of = (slices: readonly WindowSpan[]) => {
    const parts = slices.map((slice) => betsOfSlice(slice, dated));
    const bets = new Set(parts.flatMap((part) => part.bets));
    const dropped = new Set(parts.flatMap(({ straddling }) => straddling.filter((bet) => !bets.has(bet))));
    const [first] = slices;
    const marks = slices.length === 1 && first !== undefined ? marksOfSlice(first, played.marks) : played.marks;
    const performance = { bets: [...bets], marks, capital, resampling: NO_DRAWS };
    return { bets: performance.bets, figures: figuresOf(performance, dropped.size, objective) };
  };
  const trains = windows.map(({ train }) => train);
  const tests = windows.flatMap(({ test }) => (test === null ? [] : [test]));
  return {
    name: played.strategy ?? '',
    windows: windows.map(({ name, train, test }) => {
      const tested = test === null ? null : of([test]);
      return {
        window: name,
        train: of([train]).figures,
        test: tested?.figures ?? null,
        tested: (tested?.bets ?? []).filter(isSettled).sort(bySettlement).map(testBet),
      };
    }),
    train: of(trains).figures,
    test: tests.length === 0 ? null : of(tests).figures,
    days: daysIn(trains, played.marks),
    withoutStart: betsWithoutStart(windows, dated),
  };
}

/** No measure of a leaderboard draws. */
const NO_DRAWS: Resampling = seededResampling('0'.repeat(32));

const testBet = ({ settledAt, lastFillAt, profit, stake }: BetRow): TestBet => [
  (settledAt ?? lastFillAt).getTime(),
  Number(profit),
  Number(stake),
];

function figuresOf(
  performance: Parameters<typeof measuresOf>[0],
  straddled: number,
  objective: Objective,
): SweepFigures {
  const { bets } = performance;
  const sums = sumsOf(bets);
  const measures = measuresOf(performance, { yield: yieldOfSums(sums) });
  const settled = Number(sums.of.settled);
  const z = zOf(measures, sums);
  return {
    events: sums.returns.events,
    bets: settled,
    open: bets.length - settled,
    straddled,
    measures: Object.fromEntries(SHOWN_MEASURES.map((name) => [name, writtenMeasure(measures[name])])) as Record<
      ShownMeasure,
      WrittenMeasure
    >,
    z,
    objective: settled === 0 ? null : objective === 'yield_z' ? z : measures[objective].number,
    earned: `${sums.of.profit}`,
    staked: `${sums.of.stake}`,
  };
}

/**
 * `yield_z` where every event has one bet, which was won or lost; else Σπ over √(n/(n − 1) Σ(π − mean)²) of the profits π of n events, as bets on
 * one event win and lose together.
 */
function zOf(measures: MeasuresByName, { of, returns }: BetSums): number | null {
  const { number } = measures.yield_z;
  if (number !== null && of.decided === of.settled && BigInt(returns.events) === of.settled) return number;
  const { events, profit, profitSquared } = returns;
  if (events < 2) return null;
  const squares = Number(BigInt(events) * profitSquared - profit * profit) / (events - 1);
  return squares <= 0 ? null : Number(profit) / Math.sqrt(squares);
}

const DAY_MS = 86_400_000;

/** The daily returns of an account on days that begin in one of the spans. */
function daysIn(slices: readonly WindowSpan[], marks: readonly EquityReading[]): readonly number[] {
  const first = Math.floor((marks[0]?.at.getTime() ?? 0) / DAY_MS);
  return dailyReturns(marks).filter((_, at) => isDayOf(slices, first + at));
}
