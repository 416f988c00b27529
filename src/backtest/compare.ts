import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { csvRows } from '../adapters/http/csv.js';
import { sha256 } from '../adapters/system/index.js';
import { ONE, parseMicro, ratioText } from '../core/money.js';
import { bootstrapYieldInterval, seededResampling } from '../core/performance/intervals.js';
import { boundText, FEWEST_EVENTS, type WrittenMeasure } from '../core/performance/measure.js';
import { MEASURES, type MeasureName } from '../core/performance/measures.js';
import { MEASURE_WORDS, measureText } from '../report/measure-words.js';
import { counted, fixed, gainText } from '../report/words.js';
import { type BacktestResult, backtestResult, type StrategyResult } from './result.js';
import { alignedLines } from './summary.js';

const DECIMALS = 9;

/** What a settled bet of a run earned. */
interface EarnedBet {
  readonly strategy: string | null;
  /** The same in both runs. */
  readonly event: string;
  readonly profit: bigint;
}

/** A run as it was read from its folder. */
export interface WrittenRun {
  /** As the reader named it. */
  readonly path: string;
  readonly result: BacktestResult;
  readonly bets: readonly EarnedBet[];
}

/** A folder, or a file of it, that no run wrote. */
export class RunUnreadable extends Error {
  constructor(path: string, why: string) {
    super(`${path}: ${why}`);
    this.name = 'RunUnreadable';
  }
}

/** How much more the first run earned per event than the second. */
export interface ProfitDifference {
  /** Events on which at least one of them had a settled bet; the other earned 0 there. */
  readonly events: number;
  /** Those on which both had. */
  readonly shared: number;
  readonly profit_per_event_usdc: string | null;
  /** The 95 % interval by the bootstrap over events. */
  readonly low: string | null;
  readonly high: string | null;
  readonly verdict: 'not enough events' | 'no evidence' | 'a earned more' | 'b earned more';
}

/** One strategy in both runs, or, where its name is null, all of each. */
export interface StrategyComparison {
  readonly strategy: string | null;
  readonly a: Pick<StrategyResult, 'verdict' | 'bets' | 'open' | 'measures'>;
  readonly b: Pick<StrategyResult, 'verdict' | 'bets' | 'open' | 'measures'>;
  readonly difference: ProfitDifference;
}

/** Two runs side by side. */
export interface RunComparison {
  readonly runs: readonly { readonly path: string; readonly id: string }[];
  readonly warnings: readonly string[];
  /** All of each first, then what both runs have by one name. */
  readonly results: readonly StrategyComparison[];
}

/** Reads a run from its folder, or from the `result.json` in it. @throws RunUnreadable */
export async function readRun(path: string): Promise<WrittenRun> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => true,
  );
  const folder = isFolder ? path : dirname(path);
  const parsed = v.safeParse(
    backtestResult,
    jsonOf(path, await textIn(path, isFolder ? join(folder, 'result.json') : path)),
  );
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new RunUnreadable(path, `result.json is not of this version: ${v.getDotPath(issue) ?? ''} ${issue.message}`);
  }
  if (parsed.output.results.length === 0)
    throw new RunUnreadable(path, 'on its tapes nothing can be filled, so there is no profit to compare.');
  return { path, result: parsed.output, bets: earnedBets(path, await textIn(path, join(folder, 'bets.csv'))) };
}

async function textIn(path: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const why = code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
    throw new RunUnreadable(path, `${file} ${why}. Name a folder that stakeport backtest --out wrote.`);
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RunUnreadable(path, 'result.json is not JSON.');
  }
}

const COLUMNS = ['venue', 'market_id', 'event_id', 'strategy_id', 'result', 'profit_usdc'] as const;

function earnedBets(path: string, text: string): readonly EarnedBet[] {
  const [head = [], ...rows] = csvRows(text);
  const [venue, market, event, strategy, result, profit] = COLUMNS.map((name) => head.indexOf(name));
  const missing = COLUMNS.filter((name) => !head.includes(name));
  if (missing.length > 0) throw new RunUnreadable(path, `bets.csv has no column ${missing.join(', ')}.`);
  const cell = (row: readonly string[], column = -1) => row[column] ?? '';
  return rows
    .filter((row) => cell(row, result) !== 'open')
    .map((row) => ({
      strategy: cell(row, strategy) || null,
      event: JSON.stringify([
        cell(row, venue),
        cell(row, event) || null,
        cell(row, event) === '' ? cell(row, market) : null,
      ]),
      profit: signedMicro(cell(row, profit)),
    }));
}

const signedMicro = (text: string): bigint => (text.startsWith('-') ? -parseMicro(text.slice(1)) : parseMicro(text));

/**
 * Puts two runs side by side. The same two runs give the same intervals. @throws RunUnreadable for runs that stand on different kinds of
 * data
 */
export function compareRuns(a: WrittenRun, b: WrittenRun): RunComparison {
  const [ofA, ofB] = [a, b].map(({ result }) => result.results[0]?.evidence ?? null);
  if (ofA !== ofB)
    throw new RunUnreadable(b.path, `stands on ${ofB}, and ${a.path} on ${ofA}: they are not ranked together.`);
  const names = a.result.results.map(({ strategy }) => strategy);
  const results = names.flatMap((strategy): readonly StrategyComparison[] => {
    const [ofA, ofB] = [a, b].map(({ result }) => result.results.find((one) => one.strategy === strategy));
    if (ofA === undefined || ofB === undefined) return [];
    return [{ strategy, a: sideOf(ofA), b: sideOf(ofB), difference: differenceOf(a, b, strategy) }];
  });
  return { runs: [a, b].map(({ path, result }) => ({ path, id: result.run.id })), warnings: warningsOf(a, b), results };
}

const sideOf = ({ verdict, bets, open, measures }: StrategyResult): StrategyComparison['a'] => ({
  verdict,
  bets,
  open,
  measures,
});

function warningsOf(a: WrittenRun, b: WrittenRun): readonly string[] {
  const tapesOf = ({ result }: WrittenRun) =>
    result.run.tapes
      .map(({ sha256 }) => sha256)
      .sort()
      .join();
  const isSame = tapesOf(a) === tapesOf(b);
  return [
    ...(a.result.run.id === b.result.run.id ? ['Both are the same run.'] : []),
    ...(isSame ? [] : ['They were played on different tapes: an event that one of them never saw counts as 0 for it.']),
    ...(a.result.run.partial || b.result.run.partial ? ['At least one of them was ended early.'] : []),
  ];
}

function differenceOf(a: WrittenRun, b: WrittenRun, strategy: string | null): ProfitDifference {
  const [ofA, ofB] = [a, b].map((run) => profitByEvent(run, strategy)) as [Map<string, bigint>, Map<string, bigint>];
  const events = [...new Set([...ofA.keys(), ...ofB.keys()])].sort();
  const shared = events.filter((event) => ofA.has(event) && ofB.has(event)).length;
  const paired = events.map((event) => ({ stake: ONE, profit: (ofA.get(event) ?? 0n) - (ofB.get(event) ?? 0n) }));
  const digest = sha256(JSON.stringify([a.result.run.id, b.result.run.id, 'difference', strategy]));
  const interval = bootstrapYieldInterval(paired, seededResampling(digest));
  const total = paired.reduce((sum, { profit }) => sum + profit, 0n);
  const mean = events.length === 0 ? null : ratioText({ n: total, d: ONE * BigInt(events.length) }, DECIMALS);
  const [low, high] = interval ?? [0, 0];
  return {
    events: events.length,
    shared,
    profit_per_event_usdc: mean,
    low: interval === null ? null : boundText(low),
    high: interval === null ? null : boundText(high),
    verdict:
      events.length < FEWEST_EVENTS
        ? 'not enough events'
        : low > 0
          ? 'a earned more'
          : high < 0
            ? 'b earned more'
            : 'no evidence',
  };
}

function profitByEvent({ bets }: WrittenRun, strategy: string | null): Map<string, bigint> {
  const profits = new Map<string, bigint>();
  for (const bet of bets) {
    if (strategy === null || bet.strategy === strategy)
      profits.set(bet.event, (profits.get(bet.event) ?? 0n) + bet.profit);
  }
  return profits;
}

/** A comparison for a terminal. */
export function comparisonText({ runs, warnings, results }: RunComparison): string {
  const [a, b] = runs.map(({ path, id }) => `${path} (run ${id.slice(0, 12)})`);
  const parts = results.map((one) => {
    const title = one.strategy ?? 'all together';
    return ['', ...alignedLines([[title, 'A', 'B'], ...rowsOf(one)], [0]), differenceText(one.difference)];
  });
  return [`A  ${a}`, `B  ${b}`, ...warnings.map((words) => `warning: ${words}`), ...parts.flat()].join('\n');
}

function rowsOf({ a, b }: StrategyComparison): readonly (readonly string[])[] {
  const shown = MEASURES.filter(({ name }) => a.measures[name].value !== null || b.measures[name].value !== null);
  return [
    ['verdict', a.verdict, b.verdict],
    ['settled events', fixed(a.measures.yield.n, 0), fixed(b.measures.yield.n, 0)],
    ['bets', fixed(a.bets, 0), fixed(b.bets, 0)],
    ...shown.map(({ name }) => [
      MEASURE_WORDS[name].title,
      withInterval(name, a.measures[name]),
      withInterval(name, b.measures[name]),
    ]),
  ];
}

const withInterval = (
  name: MeasureName,
  { value, low, high }: Pick<WrittenMeasure, 'value' | 'low' | 'high'>,
): string =>
  low === null
    ? measureText(name, value)
    : `${measureText(name, value)} (${measureText(name, low)} to ${measureText(name, high)})`;

const DIFFERENCE_WORDS: Readonly<Record<ProfitDifference['verdict'], string>> = {
  'not enough events': 'not enough events to tell them apart',
  'no evidence': 'no evidence that either is better',
  'a earned more': 'evidence that A earns more',
  'b earned more': 'evidence that B earns more',
};

function differenceText({ events, shared, profit_per_event_usdc: mean, low, high, verdict }: ProfitDifference): string {
  if (mean === null || low === null || high === null) return 'No event has a settled bet.';
  const interval = `95 % interval ${gainText(Number(low))} to ${gainText(Number(high))}`;
  return `A less B, per event: ${gainText(Number(mean))}, ${interval}, over ${counted(events, 'event')}, ${shared} of them in both: ${DIFFERENCE_WORDS[verdict]}.`;
}
