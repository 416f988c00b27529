import type { RunTape, RunWarning } from '../backtest/backtest-run.js';
import { FEWEST_DAYS } from '../core/performance/equity.js';
import { FEWEST_EVENTS } from '../core/performance/measure.js';
import { chanceOfBest, expectedBestSharpe, probabilisticSharpe } from '../core/performance/trials.js';
import type { SweepFigures, TestBet, VariantFigures } from './figures.js';
import type { SweepPlan } from './plan.js';
import type { PlayedGroup } from './sweep-folder.js';
import type { TrialCount } from './trials-file.js';
import type { Variant } from './variants.js';
import { areTestsApart, type SweepWindow } from './windows.js';

/** What the best variant is evidence of, with regard to all that were tried. */
export type SweepVerdict = 'not enough bets' | 'what chance would give' | 'more than chance';

/** A variant in the order of the leaderboard. */
export interface RankedVariant {
  readonly variant: Variant;
  readonly figures: VariantFigures;
  /** The median of its objective over the train windows; null where half of them have none. */
  readonly objective: number | null;
}

/** The variant that a train window chose, and what it did in its test. */
export interface WalkedStep {
  readonly window: string;
  /** Null where no variant bet in the train window. */
  readonly name: string | null;
  readonly train: SweepFigures | null;
  readonly test: SweepFigures | null;
}

/** Test windows one after the other, each bet by the variant that was best before it. */
export interface WalkForward {
  readonly steps: readonly WalkedStep[];
  /** Bets of these tests, as they settled. */
  readonly bets: readonly TestBet[];
  /** Profit over turnover of the chosen variants in their train windows, and in their tests; null without a stake. */
  readonly trainYield: number | null;
  readonly testYield: number | null;
  /** The second over the first; null where the first is not above 0. */
  readonly efficiency: number | null;
}

/** The deflated Sharpe ratio, or why there is none. */
export interface DeflatedSharpe {
  readonly value: number | null;
  readonly days: number;
  readonly reason: 'short_span' | 'no_deviation' | null;
}

/** What a sweep found out. */
export interface SweepOutcome {
  /** SHA-256 in hexadecimal of the plan, its tapes and signals, and the version. */
  readonly id: string;
  readonly version: string;
  readonly plan: SweepPlan;
  readonly tapes: readonly RunTape[];
  readonly windows: readonly SweepWindow[];
  /** Best first. */
  readonly ranked: readonly RankedVariant[];
  readonly best: RankedVariant;
  readonly verdict: SweepVerdict;
  /** How likely the best of all trials has such a z if none has an edge, by Šidák; null without a z. */
  readonly chance: number | null;
  readonly deflatedSharpe: DeflatedSharpe;
  /** All that are known of these tapes, and the name of the file that has them. */
  readonly trials: TrialCount & { readonly file: string };
  /** Null where there are not two windows with tests apart. */
  readonly walkForward: WalkForward | null;
  readonly coverage: string;
  readonly gaps: number;
  readonly warnings: readonly RunWarning[];
}

/** What is known when all groups are played. */
export interface PlayedSweep extends Pick<SweepOutcome, 'id' | 'version' | 'plan' | 'tapes' | 'windows' | 'trials'> {
  readonly variants: readonly Variant[];
  readonly groups: readonly PlayedGroup[];
}

/** A chance of at least this is no wonder. */
const CHANCE = 0.05;

/** What a sweep came to. @throws RangeError without variants */
export function sweepOutcome({ variants, groups, ...played }: PlayedSweep): SweepOutcome {
  const figures = groups.flatMap((group) => group.variants);
  const ranked = rankedBy(
    variants.flatMap((variant, at) => {
      const own = figures[at];
      return own === undefined ? [] : [{ variant, figures: own, objective: medianOf(own) }];
    }),
    ({ objective }) => objective,
  );
  const [best] = ranked;
  if (best === undefined) throw new RangeError('a sweep has a variant');
  const { z, events } = best.figures.train;
  const trials = Math.max(1, played.trials.count);
  const chance = z === null ? null : chanceOfBest(z, trials);
  const few = events < FEWEST_EVENTS || chance === null;
  const warnings = new Map(groups.flatMap((group) => group.warnings.map((one) => [one.detail, one])));
  return {
    ...played,
    ranked,
    best,
    chance,
    verdict: few ? 'not enough bets' : chance >= CHANCE ? 'what chance would give' : 'more than chance',
    deflatedSharpe: deflatedSharpe(best.figures, figures, trials),
    walkForward: walkForward(ranked, played.windows),
    // Every group saw all of the markets.
    coverage: groups[0]?.coverage ?? '1',
    gaps: groups[0]?.gaps ?? 0,
    warnings: [...warnings.values()],
  };
}

/** Highest first; those without a value last, and equal ones as they were. */
function rankedBy<T>(items: readonly T[], rankOf: (item: T) => number | null): readonly T[] {
  const rank = (item: T) => rankOf(item) ?? Number.NEGATIVE_INFINITY;
  return items.toSorted((a, b) => (rank(a) === rank(b) ? 0 : rank(a) < rank(b) ? 1 : -1));
}

/** A window without an objective is worse than any other. */
function medianOf({ windows }: VariantFigures): number | null {
  const sorted = windows
    .map(({ train }) => train.objective ?? Number.NEGATIVE_INFINITY)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (low === undefined || high === undefined || low === Number.NEGATIVE_INFINITY) return null;
  return (low + high) / 2;
}

const DAYS_TO_COMPARE = 2;

function deflatedSharpe({ days }: VariantFigures, all: readonly VariantFigures[], trials: number): DeflatedSharpe {
  if (days.length < FEWEST_DAYS) return { value: null, days: days.length, reason: 'short_span' };
  const ratios = all.flatMap((one) => dailySharpe(one.days) ?? []);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const variance =
    ratios.length < DAYS_TO_COMPARE
      ? 0
      : ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1);
  const value = probabilisticSharpe(days, expectedBestSharpe(variance, trials));
  return { value, days: days.length, reason: value === null ? 'no_deviation' : null };
}

/** Mean over sample deviation, of one day; null without deviation. */
function dailySharpe(days: readonly number[]): number | null {
  const mean = days.reduce((sum, value) => sum + value, 0) / days.length;
  const variance = days.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (days.length - 1);
  return variance > 0 ? mean / Math.sqrt(variance) : null;
}

function walkForward(ranked: readonly RankedVariant[], windows: readonly SweepWindow[]): WalkForward | null {
  const tested = windows.filter(({ test }) => test !== null);
  if (tested.length < 2 || !areTestsApart(windows)) return null;
  const chosen = windows.map(({ name }, at) => {
    const [best] = rankedBy(ranked, ({ figures }) => figures.windows[at]?.train.objective ?? null);
    const own = best?.figures.windows[at];
    const bet = own !== undefined && own.train.objective !== null;
    return { window: name, name: bet ? (best?.variant.name ?? null) : null, own: bet ? own : null };
  });
  const yieldOf = (side: 'train' | 'test') => {
    const sum = (of: 'earned' | 'staked') =>
      chosen.reduce((total, { own }) => total + Number(own?.[side]?.[of] ?? 0), 0);
    return sum('staked') === 0 ? null : sum('earned') / sum('staked');
  };
  const [trainYield, testYield] = [yieldOf('train'), yieldOf('test')];
  const isRatio = trainYield !== null && trainYield > 0 && testYield !== null;
  return {
    steps: chosen.map(({ window, name, own }) => ({
      window,
      name,
      train: own?.train ?? null,
      test: own?.test ?? null,
    })),
    bets: chosen.flatMap(({ own }) => own?.tested ?? []).sort(([a], [b]) => a - b),
    trainYield,
    testYield,
    efficiency: isRatio ? testYield / trainYield : null,
  };
}
