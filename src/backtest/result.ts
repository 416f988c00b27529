import * as v from 'valibot';
import { sha256 } from '../adapters/system/index.js';
import { EVIDENCE, type Evidence, hasFills, worstEvidence } from '../core/market/event.js';
import { isoText } from '../core/moment.js';
import { formatMicro, ratioText } from '../core/money.js';
import { betEvidence, isSettled } from '../core/performance/bet.js';
import { statedForecasts } from '../core/performance/bet-sums.js';
import { binsOf, brierTerms, calibration, type Forecast, writtenBin } from '../core/performance/forecasts.js';
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
import { NO_FILLS } from '../core/strategy/decide/decide.js';
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
  who: v.picklist(['bets', 'market', 'signals']),
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

const evidence = v.picklist(EVIDENCE);

const strategyResult = v.strictObject({
  strategy: v.nullable(text),
  evidence,
  verdict: v.picklist(['not enough bets', 'no evidence', 'evidence', 'loss']),
  bets: count,
  open: count,
  measures: v.strictObject(
    Object.fromEntries(MEASURES.map(({ name }) => [name, measure])) as Record<MeasureName, typeof measure>,
  ),
  calibration: v.array(forecasts),
  segments: v.array(segment),
});

/** What a strategy would have done where nothing can be filled, and what the results say of prices and signals. */
const strategyForecasts = v.strictObject({
  strategy: v.nullable(text),
  evidence,
  would_bet: count,
  brier_market: decimalOrNull,
  brier_signals: decimalOrNull,
  calibration: v.array(forecasts),
});

/** `result.json`: what a backtest found out, for programs. Amounts and ratios are decimal texts, counts are numbers. */
export const backtestResult = v.strictObject({
  run: v.strictObject({
    id: v.pipe(text, v.regex(/^[0-9a-f]{64}$/)),
    tapes: v.array(v.strictObject({ name: text, sha256: text, from: moment, to: moment, markets: count, evidence })),
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
  forecasts: v.optional(v.array(strategyForecasts)),
});

/** What a backtest found out. */
export type BacktestResult = v.InferOutput<typeof backtestResult>;

/** What one strategy, or where its name is null all of them, showed. */
export type StrategyResult = BacktestResult['results'][number];

/** What it would have done where nothing can be filled. */
export type StrategyForecasts = v.InferOutput<typeof strategyForecasts>;

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
    // Where nothing can be filled there is no money to measure.
    results: hasMoney(run)
      ? played.map((one) => {
          const known = all !== undefined && haveSameBets(all, one) ? yieldOfAll : null;
          const performance = { ...one, resampling: resamplingOf(header) };
          return strategyResultOf(one, evidenceOf(run, one), performance, known, market);
        })
      : [],
    ...(header.tapes.every(({ evidence }) => hasFills(evidence)) ? {} : { forecasts: played.map(forecastsIn(run)) }),
  };
}

/** Whether orders can be filled on a tape of the run. */
export const hasMoney = ({ header }: Pick<BacktestRun, 'header'>): boolean =>
  header.tapes.some(({ evidence }) => hasFills(evidence));

/** The least that the books of its bets prove; without any, those of the tapes on which it could have bet. */
function evidenceOf({ header }: BacktestRun, { bets }: PlayedStrategy): Evidence {
  const ofBets = bets.map(betEvidence).filter((one) => one !== null);
  return worstEvidence(ofBets.length > 0 ? ofBets : header.tapes.map((tape) => tape.evidence).filter(hasFills));
}

const forecastsIn = (run: BacktestRun) => {
  const market = forecastsOf('market', run.markets);
  return ({ strategy, skips }: PlayedStrategy): StrategyForecasts => {
    const name = run.header.strategies.find((one) => one.name === strategy)?.rules;
    const signals = strategy === null ? run.signals : run.signals.filter((one) => one.name === signalNameOf(name));
    return {
      strategy,
      evidence: worstEvidence(run.header.tapes.map((tape) => tape.evidence)),
      would_bet: skips.get(NO_FILLS) ?? 0,
      brier_market: brierOf(run.markets),
      brier_signals: brierOf(signals),
      calibration: [...market, ...forecastsOf('signals', signals)],
    };
  };
};

function brierOf(of: readonly Forecast[]): string | null {
  const terms = brierTerms(binsOf(of));
  return terms === null ? null : ratioText(terms.score, DECIMALS);
}

function signalNameOf(rules: unknown): string | null {
  const { signal } = Object(rules) as { readonly signal?: { readonly name?: string } | null };
  return signal?.name ?? null;
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
  stands: Evidence,
  performance: Performance,
  known: Measure | null,
  market: StrategyResult['calibration'],
): StrategyResult {
  const measures = measuresOf(performance, known === null ? {} : { yield: known });
  const settled = bets.filter(isSettled).length;
  return {
    strategy,
    evidence: stands,
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

const forecastsOf = (who: 'bets' | 'market' | 'signals', of: readonly Forecast[]): StrategyResult['calibration'] =>
  calibration(of).map((bin) => ({ who, ...writtenBin(bin) }));
