import { csvLine } from '../adapters/http/csv.js';
import { stableJson } from '../backtest/result.js';
import { approximateText, EXACT_DECIMALS } from '../core/performance/measure.js';
import { sweepHtml } from '../report/sweep-report.js';
import { verdictOfSweep } from '../report/sweep-words.js';
import type { SweepFigures } from './figures.js';
import type { RankedVariant, SweepOutcome, WalkForward } from './outcome.js';
import { valueText } from './variants.js';

/** The files of a sweep, by their names. They depend on what it found out alone. */
export const sweepFiles = (outcome: SweepOutcome): readonly (readonly [name: string, text: string])[] => [
  ['leaderboard.csv', leaderboard(outcome)],
  ['best.json', stableJson(bestOf(outcome))],
  ['sweep.html', sweepHtml(outcome)],
];

const FIGURES = [
  'events',
  'bets',
  'profit_usdc',
  'yield',
  'yield_low',
  'yield_high',
  'yield_z',
  'clv_net',
  'max_drawdown',
  'sharpe_daily',
  'objective',
  'straddled',
] as const;

/** A row a variant, window and side, the best variant first. */
function leaderboard({ ranked, plan }: SweepOutcome): string {
  const pointers = Object.keys(plan.grid);
  const lines = [csvLine(['name', ...pointers, 'window', 'side', ...FIGURES])];
  for (const { variant, figures } of ranked) {
    const values = pointers.map((pointer) => valueText(variant.values[pointer]));
    for (const { window, train, test } of figures.windows) {
      lines.push(csvLine([variant.name, ...values, window, 'train', ...cells(train)]));
      if (test !== null) lines.push(csvLine([variant.name, ...values, window, 'test', ...cells(test)]));
    }
  }
  return lines.join('');
}

function cells(figures: SweepFigures): readonly (string | number | null)[] {
  const known = figuresOut(figures);
  return FIGURES.map((name) => known[name]);
}

const numberText = (value: number | null): string | null => (value === null ? null : value.toFixed(EXACT_DECIMALS));

/** Figures as files have them: amounts and ratios are texts, counts are numbers. */
function figuresOut({ events, bets, straddled, objective, measures }: SweepFigures) {
  const { yield: earned } = measures;
  return {
    events,
    bets,
    profit_usdc: measures.profit_usdc.value,
    yield: earned.value,
    yield_low: earned.low,
    yield_high: earned.high,
    yield_z: measures.yield_z.value,
    clv_net: measures.clv_net.value,
    max_drawdown: measures.max_drawdown.value,
    sharpe_daily: measures.sharpe_daily.value,
    objective: numberText(objective),
    straddled,
  };
}

/** `best.json`: the variant to go on with, and what it rests on. */
export function bestOf(outcome: SweepOutcome) {
  const { id, version, best, verdict, chance, deflatedSharpe, trials, plan, walkForward, warnings } = outcome;
  const { variant, figures } = best;
  return {
    id,
    version,
    verdict,
    sentence: verdictOfSweep(outcome),
    strategy: variant.body,
    values: variant.values,
    objective: {
      name: plan.objective,
      train: numberText(best.objective),
      test: numberText(figures.test?.objective ?? null),
    },
    z: numberText(figures.train.z),
    chance: chance === null ? null : approximateText(chance),
    trials: { count: trials.count, since: trials.since, file: trials.file, variants: outcome.ranked.length },
    deflated_sharpe: {
      value: deflatedSharpe.value === null ? null : approximateText(deflatedSharpe.value),
      days: deflatedSharpe.days,
      reason: deflatedSharpe.reason,
    },
    train: figuresOut(figures.train),
    test: figures.test === null ? null : figuresOut(figures.test),
    windows: windowsOut(best),
    walk_forward: walkForward === null ? null : walkOut(walkForward),
    without_start: figures.withoutStart,
    tapes: outcome.tapes.map(({ name, sha256, evidence }) => ({ name, sha256, evidence })),
    warnings: warnings.map(({ code, detail }) => ({ code, detail })),
  };
}

const windowsOut = ({ figures }: RankedVariant) =>
  figures.windows.map(({ window, train, test }) => ({
    window,
    train: figuresOut(train),
    test: test === null ? null : figuresOut(test),
  }));

const walkOut = ({ steps, trainYield, testYield, efficiency }: WalkForward) => ({
  train_yield: numberText(trainYield),
  test_yield: numberText(testYield),
  efficiency: numberText(efficiency),
  windows: steps.map(({ window, name, train, test }) => ({
    window,
    name,
    train: train === null ? null : figuresOut(train),
    test: test === null ? null : figuresOut(test),
  })),
});
