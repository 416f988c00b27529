import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { sha256 } from '../adapters/system/index.js';
import { VERSION } from '../adapters/system/version.js';
import { joinedIndex } from '../adapters/tape/tape-index.js';
import { type BacktestBody, type BacktestPlan, BacktestRefused, planBacktest } from '../backtest/backtest-plan.js';
import { type BacktestSignal, readSignals, SignalRowInvalid } from '../backtest/signal-rows.js';
import { hasFills, worstEvidence } from '../core/market/event.js';
import { sweepFiles } from './files.js';
import { type SweepOutcome, sweepOutcome } from './outcome.js';
import { readSweepPlan, type SweepPlan, SweepRefused, sweepPlanOf } from './plan.js';
import { type GroupTerms, playGroups } from './play-groups.js';
import { type PlayedGroup, SweepFolder } from './sweep-folder.js';
import { type Trial, TrialsFile } from './trials-file.js';
import { type Variant, variantsOf } from './variants.js';
import { eventStarts, windowsOf } from './windows.js';

const MOST_WORKERS = 64;

/** How far a sweep has come. */
export interface SweepProgress {
  /** From 0 to 1. */
  readonly done: number;
  /** Groups of variants that are done, of all. */
  readonly groups: readonly [done: number, all: number];
}

/** What a sweep plays, and where. */
export interface SweepOptions {
  /** The path of a plan, or what it holds: its relative paths begin at its folder, or at the working directory. */
  readonly plan: string | BacktestBody;
  /** The folder of the sweep, which is made where it is absent; a sweep that was ended goes on with what is missing there. */
  readonly folder: string;
  /** The file that counts trials; by default beside the first tape. */
  readonly trials?: string;
  /** How many threads share out groups of variants; it changes no result. By default 1. */
  readonly workers?: number;
  /** Ends it; groups that are done are kept. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SweepProgress) => void;
}

/**
 * Plays variants of a strategy over tapes, and writes `leaderboard.csv`, `best.json` and `sweep.html` into a folder; null where the signal
 * ended it. The same plan on the same tapes, with the same trials before it, has the same bytes.
 * @throws SweepRefused, BacktestRefused, BacktestTapeUnreadable, TapeUnreadable for a line that shows only when it is played
 *
 * @example
 * ```ts
 * import { sweep } from 'stakeport/backtest';
 *
 * const rules = { outcome: { index: 0 }, sizing: { method: 'flat', value: 10 } };
 * const base = { name: 'homes', sport: 'soccer', rules, bankroll_cap: 500, stake_cap: 50 };
 * const grid = { '/rules/filter/min_odds': [1.5, 2, 2.5] };
 * const windows = { rolling: { train_days: 60, test_days: 20 } };
 * const found = await sweep({ plan: { base, grid, windows, tapes: ['season.jsonl.gz'] }, folder: 'runs/homes' });
 * console.log(found?.verdict, found?.best.variant.name);
 * ```
 */
export async function sweep(options: SweepOptions): Promise<SweepOutcome | null> {
  const { workers = 1 } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > MOST_WORKERS)
    throw new SweepRefused(`workers must be 1 to ${MOST_WORKERS}.`);
  const named = typeof options.plan === 'string' ? options.plan : 'the plan';
  const plan = await planOf(options.plan, named);
  const variants = variantsOf(plan, named);
  const played = await backtestOf(plan, variants, named);
  checkEvidence(played, named);
  const [first, ...others] = played.terms.tapes;
  const index = joinedIndex([first.index, ...others.map((tape) => tape.index)]);
  const terms: GroupTerms = {
    id: idOf(plan, played),
    plan: played,
    size: plan.group,
    windows: windowsOf(plan, index, named),
    starts: eventStarts(index.markets, index.venue),
    objective: plan.objective,
  };
  const folder = await SweepFolder.open(options.folder, { id: terms.id, version: VERSION });
  const trials = new TrialsFile(options.trials ?? `${first.path}.trials.jsonl`);
  const groups = await allGroups(terms, { folder, trials }, { ...options, workers });
  if (groups === null) return null;
  const hashes = played.terms.tapes.map((tape) => tape.sha256);
  const outcome = sweepOutcome({
    id: terms.id,
    version: VERSION,
    plan,
    tapes: played.header.tapes,
    windows: terms.windows,
    variants,
    groups,
    trials: { ...(await trials.countOf(hashes)), file: basename(trials.path) },
  });
  await folder.write(sweepFiles(outcome));
  return outcome;
}

/** Where what is done is kept. */
interface Kept {
  readonly folder: SweepFolder;
  readonly trials: TrialsFile;
}

/** All groups, of which those that are missing are played; null where the signal ended it. */
async function allGroups(
  terms: GroupTerms,
  { folder, trials }: Kept,
  { workers, signal, onProgress = () => {} }: SweepOptions & { readonly workers: number },
): Promise<readonly PlayedGroup[] | null> {
  const { plan, size } = terms;
  const tried = trialsOf(plan);
  const triedIn = (group: number) => tried.slice(group * size, (group + 1) * size).flat();
  const numbers = Array.from({ length: Math.ceil(tried.length / size) }, (_, group) => group);
  const groups = new Map<number, PlayedGroup>();
  for (const group of numbers) {
    const known = await folder.read(group);
    if (known !== null) groups.set(group, known);
  }
  const reached = new Map<number, number>();
  const report = () => {
    const underWay = [...reached].reduce((sum, [group, done]) => sum + (groups.has(group) ? 0 : done), 0);
    onProgress({ done: (groups.size + underWay) / numbers.length, groups: [groups.size, numbers.length] });
  };
  let adding = trials.add([...groups.keys()].flatMap(triedIn), new Date());
  await adding;
  const missing = numbers.filter((group) => !groups.has(group));
  await playGroups(missing, terms, {
    workers,
    signal,
    onReached: (group, done) => {
      reached.set(group, done);
      report();
    },
    onPlayed: async (played) => {
      // Groups that end together add their trials one after the other.
      adding = adding.then(() => trials.add(triedIn(played.group), new Date()));
      await adding;
      await folder.keep(played);
      groups.set(played.group, played);
      report();
    },
  });
  return groups.size < numbers.length ? null : numbers.flatMap((group) => groups.get(group) ?? []);
}

async function planOf(given: SweepOptions['plan'], named: string): Promise<SweepPlan> {
  return typeof given === 'string'
    ? readSweepPlan(await readFile(given, 'utf8'), given)
    : sweepPlanOf(given, named, process.cwd());
}

/** The backtest of all variants at once. @throws SweepRefused, BacktestRefused, BacktestTapeUnreadable */
async function backtestOf(plan: SweepPlan, variants: readonly Variant[], named: string): Promise<BacktestPlan> {
  const { tapes, limits, zone, cash, latencyMs, seed } = plan;
  const signals = plan.signals === null ? [] : await signalsIn(plan.signals);
  const strategies = variants.map(({ body }) => body);
  return planBacktest({ tapes, strategies, limits, zone, cash, latencyMs, seed, signals }).catch((error: unknown) => {
    if (!(error instanceof BacktestRefused) || error.reason !== 'options') throw error;
    throw new SweepRefused(`${named}: ${error.message}`, error);
  });
}

async function signalsIn(path: string): Promise<readonly BacktestSignal[]> {
  const text = await readFile(path, 'utf8');
  try {
    return readSignals(text);
  } catch (error) {
    if (error instanceof SignalRowInvalid) throw new SweepRefused(`${path}: ${error.message}.`, error);
    throw error;
  }
}

/** Variants are ranked on tapes of one kind, on which something can be filled. @throws SweepRefused */
function checkEvidence({ terms: { tapes } }: BacktestPlan, named: string): void {
  const kinds = tapes.map(({ index }) => index.header.source.evidence);
  const worst = worstEvidence(kinds);
  const at = kinds.indexOf(worst);
  const where = `${named}: /tapes/${at} (${basename(tapes[at]?.path ?? '')}) is of the kind ${worst}`;
  if (!hasFills(worst))
    throw new SweepRefused(`${where}, on which nothing can be filled, so there is no profit to rank by: leave it out.`);
  const other = kinds.find((kind) => kind !== worst);
  if (other !== undefined)
    throw new SweepRefused(
      `${where}, and another is ${other}: results of two kinds are not ranked together. Sweep each kind by itself.`,
    );
}

/** Paths are no part of it: a tape is known by what it holds. */
function idOf(plan: SweepPlan, { header, terms }: BacktestPlan): string {
  const { tapes: _tapes, signals: _signals, ...others } = plan;
  const signals = terms.signals.length === 0 ? null : sha256(JSON.stringify(terms.signals));
  const tapes = header.tapes.map(({ name, sha256: hash }) => [name, hash]);
  return sha256(JSON.stringify({ ...others, tapes, signals, version: VERSION }));
}

/** What each variant tries: its rules, caps, and the signals that it asks for, on each tape. Its name does not count. */
function trialsOf({ header, terms, strategies }: BacktestPlan): readonly (readonly Trial[])[] {
  const signals = terms.signals.length === 0 ? null : sha256(JSON.stringify(terms.signals));
  return strategies.map(({ draft: { sport, bankrollCap, stakeCap, rules } }, at) => {
    const tried = {
      rules: header.strategies[at]?.rules,
      sport,
      caps: [`${bankrollCap}`, `${stakeCap}`],
      signals: rules.signal === undefined || rules.signal === null ? null : signals,
    };
    const hash = sha256(JSON.stringify(tried));
    return terms.tapes.map((tape) => ({ tape: tape.sha256, rules: hash }));
  });
}
