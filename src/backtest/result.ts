import * as v from 'valibot';
import { sha256 } from '../adapters/system/index.js';
import { isoText } from '../core/moment.js';
import { formatMicro, ratioText } from '../core/money.js';
import { isSettled } from '../core/performance/bet.js';
import { statedForecasts } from '../core/performance/bet-sums.js';
import { calibration, type Forecast, writtenBin } from '../core/performance/forecasts.js';
import { type Resampling, seededResampling } from '../core/performance/intervals.js';
import { type Measure, verdictOf, type WrittenMeasure, writtenMeasure } from '../core/performance/measure.js';
import {
  MEASURES,
  type MeasureName,
  measuresOf,
  type Performance,
  yieldOnTurnover,
} from '../core/performance/measures.js';
import { SEGMENTS, type SegmentBy, segmentsOf } from '../core/performance/segments.js';
import type { BacktestRun, PlayedStrategy } from './backtest-run.js';

const DECIMALS = 9;
const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const decimal = v.pipe(text, v.regex(/^-?\d{1,40}(\.\d{1,30})?$/));
const decimalOrNull = v.nullable(decimal);
const moment = v.pipe(text, v.isoTimestamp());

const measure = v.strictObject({
  value: decimalOrNull,
  reason: v.nullable(text),
  n: count,
  low: decimalOrNull,
  high: decimalOrNull,
});

const forecasts = v.strictObject({
  who: v.picklist(['bets', 'market']),
  from: decimal,
  to: decimal,
  n: count,
  forecast: decimalOrNull,
  won: decimalOrNull,
  low: decimalOrNull,
  high: decimalOrNull,
});

const segment = v.strictObject({
  by: v.picklist(SEGMENTS.map(({ by }): SegmentBy => by)),
  key: v.nullable(text),
  bets: count,
  profit_usdc: decimal,
  yield: decimalOrNull,
});

const strategyResult = v.strictObject({
  strategy: v.nullable(text),
  verdict: v.picklist(['not enough bets', 'no evidence', 'evidence', 'loss']),
  bets: count,
  open: count,
  measures: v.strictObject(
    Object.fromEntries(MEASURES.map(({ name }) => [name, measure])) as Record<MeasureName, typeof measure>,
  ),
  calibration: v.array(forecasts),
  segments: v.array(segment),
});

/** `result.json`: what a backtest found out, for programs. Amounts and ratios are decimal texts, counts are numbers. */
export const backtestResult = v.strictObject({
  run: v.strictObject({
    id: v.pipe(text, v.regex(/^[0-9a-f]{64}$/)),
    tapes: v.array(
      v.strictObject({ name: text, sha256: text, from: moment, to: moment, markets: count, evidence: text }),
    ),
    strategies: v.array(v.strictObject({ name: text, rules: v.unknown() })),
    cash_usdc: decimal,
    latency_ms: count,
    seed: text,
    together: v.boolean(),
    version: text,
    coverage: decimal,
    gaps: count,
    partial: v.boolean(),
  }),
  warnings: v.array(v.strictObject({ code: text, detail: text })),
  results: v.array(strategyResult),
});

/** What a backtest found out. */
export type BacktestResult = v.InferOutput<typeof backtestResult>;

/** What one strategy, or where its name is null all of them, showed. */
export type StrategyResult = BacktestResult['results'][number];

/** The result of a run. It depends on nothing else: the draws of intervals follow from the id and the seed of the run. */
export function backtestResultOf(run: BacktestRun): BacktestResult {
  const { header, warnings, played, markets } = run;
  const market = forecastsOf('market', markets);
  const [all] = played;
  const yieldOfAll = all === undefined ? null : yieldOnTurnover({ ...all, resampling: resamplingOf(header) });
  return {
    run: {
      id: header.id,
      tapes: header.tapes.map(({ name, sha256, from, to, markets, evidence }) => ({
        name,
        sha256,
        from: isoText(from),
        to: isoText(to),
        markets,
        evidence,
      })),
      strategies: header.strategies.map(({ name, rules }) => ({ name, rules })),
      cash_usdc: formatMicro(header.cash),
      latency_ms: header.latencyMs,
      seed: header.seed,
      together: header.together,
      version: header.version,
      coverage: header.coverage,
      gaps: header.gaps,
      partial: header.partial,
    },
    warnings: warnings.map(({ code, detail }) => ({ code, detail })),
    results: played.map((one) => {
      const known = all !== undefined && haveSameBets(all, one) ? yieldOfAll : null;
      return strategyResultOf(one, { ...one, resampling: resamplingOf(header) }, known, market);
    }),
  };
}

/** Deeper members stand in one line: that of thousands of strategies would be twice as long. */
const INDENTED_LEVELS = 4;

/** The text of `result.json`, or of any other document: its members keep their order, so the same run has the same bytes. */
export const stableJson = (document: unknown): string => `${indentedJson(document, 0)}\n`;

function indentedJson(value: unknown, level: number): string {
  const isPlain = value === null || typeof value !== 'object' || Object.keys(value).length === 0;
  if (isPlain || level === INDENTED_LEVELS) return JSON.stringify(value);
  const indent = '  '.repeat(level + 1);
  const end = `\n${'  '.repeat(level)}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => indent + indentedJson(item, level + 1));
    return `[\n${items.join(',\n')}${end}]`;
  }
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${indent}${JSON.stringify(name)}: ${indentedJson(member, level + 1)}`);
  return `{\n${members.join(',\n')}${end}}`;
}

/** Each strategy has the same draws: two that made the same bets have the same interval. */
const resamplingOf = ({ id, seed }: BacktestRun['header']): Resampling =>
  seededResampling(sha256(JSON.stringify([id, seed, 'yield'])));

const haveSameBets = (a: PlayedStrategy, b: PlayedStrategy): boolean =>
  a.bets.length === b.bets.length && a.bets.every(({ id }, at) => id === b.bets[at]?.id);

/** `known` is its yield where that is known: the interval takes nearly all the time. */
function strategyResultOf(
  { strategy, bets }: PlayedStrategy,
  performance: Performance,
  known: Measure | null,
  market: StrategyResult['calibration'],
): StrategyResult {
  const measures = measuresOf(performance, known === null ? {} : { yield: known });
  const settled = bets.filter(isSettled).length;
  return {
    strategy,
    verdict: verdictOf(measures.yield),
    bets: settled,
    open: bets.length - settled,
    measures: Object.fromEntries(MEASURES.map(({ name }) => [name, writtenMeasure(measures[name])])) as Record<
      MeasureName,
      WrittenMeasure
    >,
    calibration: [...forecastsOf('bets', statedForecasts(bets)), ...market],
    segments: segmentsOf(bets).map((one) => ({
      by: one.by,
      key: one.key,
      bets: one.bets,
      profit_usdc: formatMicro(one.profit),
      yield: one.yield === null ? null : ratioText(one.yield, DECIMALS),
    })),
  };
}

const forecastsOf = (who: 'bets' | 'market', of: readonly Forecast[]): StrategyResult['calibration'] =>
  calibration(of).map((bin) => ({ who, ...writtenBin(bin) }));
