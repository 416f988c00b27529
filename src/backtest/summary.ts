import type { MeasureName } from '../core/performance/measures.js';
import { noMoneyText } from '../report/forecasts.js';
import { measureText } from '../report/measure-words.js';
import { counted, fixed, gainText, minuteText, percent, signedPercent } from '../report/words.js';
import type { BacktestResult, StrategyResult } from './result.js';

const MOST_STRATEGIES = 12;
const MOST_WARNINGS = 5;
const ALL = 'all together';

/** What a backtest found out, for a terminal: ten to 25 lines, without colours, each below 120 characters but for long names. */
export function summaryOf(result: BacktestResult): string {
  const { results, warnings } = result;
  if (results.length === 0) return forecastSummary(result);
  const single = results.filter(({ strategy }) => strategy !== null).length <= 1;
  const name = result.run.strategies[0]?.name ?? ALL;
  const [first] = results;
  const rows = single && first !== undefined ? [{ ...first, strategy: name }] : results.slice(0, MOST_STRATEGIES + 1);
  const left = results.length - (single ? results.length : rows.length);
  const more = warnings.length - MOST_WARNINGS;
  return [
    ...headLines(result),
    '',
    ...alignedLines([HEAD, ...rows.map(rowOf)], LEFT),
    ...(left > 0 ? [`${counted(left, 'more strategy', 'more strategies')}: see --json or --out`] : []),
    ...(first === undefined || first.bets === 0
      ? []
      : ['', ...(single ? [] : ['Of all together:']), ...detailLines(first)]),
    ...(warnings.length > 0 ? [''] : []),
    ...warnings.slice(0, MOST_WARNINGS).map(({ detail }) => `warning: ${detail}`),
    ...(more > 0 ? [`${counted(more, 'more warning')}: see --json or --out`] : []),
  ].join('\n');
}

/** The same where nothing can be filled: no money, but how often rules would have bet, and what prices and signals were worth. */
function forecastSummary(result: BacktestResult): string {
  const { forecasts = [], warnings } = result;
  const [head = ''] = headLines(result);
  const shown = forecasts.length === 2 ? forecasts.slice(1) : forecasts.slice(0, MOST_STRATEGIES + 1);
  const score = (text: string | null) => (text === null ? '–' : fixed(Number(text), 4));
  const rows = shown.map(({ strategy, would_bet, brier_market, brier_signals }) => [
    strategy ?? ALL,
    fixed(would_bet, 0),
    score(brier_market),
    score(brier_signals),
  ]);
  return [
    head,
    noMoneyText(result),
    '',
    ...alignedLines([['strategy', 'would have bet', 'Brier score of the market', 'of signals'], ...rows], [0]),
    ...(warnings.length > 0 ? [''] : []),
    ...warnings.slice(0, MOST_WARNINGS).map(({ detail }) => `warning: ${detail}`),
  ].join('\n');
}

function headLines({ run }: BacktestResult): readonly string[] {
  const from = run.tapes.map((tape) => tape.from).sort()[0];
  const to = run.tapes
    .map((tape) => tape.to)
    .sort()
    .at(-1);
  const span =
    from === undefined || to === undefined ? '' : `${minuteText(new Date(from))} to ${minuteText(new Date(to))} UTC, `;
  const markets = run.tapes.reduce((sum, tape) => sum + tape.markets, 0);
  const known = percent(Math.floor(Number(run.coverage) * 1000) / 1000);
  return [
    `${span}${counted(run.tapes.length, 'tape')}, ${counted(markets, 'market')}, run ${run.id.slice(0, 12)}${run.partial ? ', ended early' : ''}`,
    `Paper money, fills assumed; books known for ${known} of the time, ${counted(run.gaps, 'gap')}.`,
  ];
}

const HEAD = ['strategy', 'verdict', 'events', 'bets', 'open', 'profit, USDC', 'yield', '95 % interval'];
/** The columns that are words; the others are figures, and end at one place. */
const LEFT = [0, 1, 7];

function rowOf({ strategy, verdict, bets, open, measures }: StrategyResult): readonly string[] {
  const { value, n, low, high } = measures.yield;
  return [
    strategy ?? ALL,
    verdict,
    fixed(n, 0),
    fixed(bets, 0),
    fixed(open, 0),
    measureText('profit_usdc', measures.profit_usdc.value).replace(' USDC', ''),
    value === null ? '–' : signedPercent(Number(value)),
    intervalText(low, high),
  ];
}

const intervalText = (low: string | null, high: string | null): string =>
  low === null || high === null ? '–' : `${signedPercent(Number(low))} to ${signedPercent(Number(high))}`;

function detailLines({ measures, bets }: StrategyResult): readonly string[] {
  const text = (name: MeasureName) => measureText(name, measures[name].value);
  const { clv_net: clv, hit_rate: hits, slippage_spread: spread, max_drawdown: fall } = measures;
  const slipped = (['slippage_spread', 'slippage_delay', 'slippage_depth'] as const).map(text);
  const bounds =
    hits.low === null ? '' : ` (${measureText('hit_rate', hits.low)} to ${measureText('hit_rate', hits.high)})`;
  return alignedLines(
    [
      ['turnover', `${text('turnover_usdc')}, fees ${text('fees_usdc')}`],
      ['profit per bet', bets === 0 ? '–' : gainText(Number(measures.expectancy_usdc.value))],
      ['hit rate', `${text('hit_rate')}${bounds}, breaks even at ${text('break_even_rate')}`],
      ['losing run', `${text('longest_losing_run')} bets, to be expected ${text('longest_losing_run_expected')}`],
      [
        'deepest drawdown',
        fall.value === null
          ? '–'
          : `${text('max_drawdown')}, ${text('max_drawdown_usdc')}, ${text('max_drawdown_seconds')}`,
      ],
      [
        'closing line',
        clv.value === null
          ? '–'
          : `${signedPercent(Number(clv.value), 2)} after fees over ${counted(clv.n, 'bet')}; ${text('clv_beat_rate')} beat it, ties half`,
      ],
      ['slippage', spread.value === null ? '–' : `spread ${slipped[0]}, delay ${slipped[1]}, depth ${slipped[2]}`],
      ['Brier score', measures.brier.value === null ? '–' : `${text('brier')}, of the market ${text('brier_market')}`],
    ],
    [0, 1],
  );
}

/** Lines of a table whose columns begin at one place where `left` names them, and else end at one. */
export function alignedLines(rows: readonly (readonly string[])[], left: readonly number[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        left.includes(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
