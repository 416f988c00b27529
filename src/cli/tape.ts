import { Command } from 'commander';
import { NodeTooOld } from '../adapters/tape/packing.js';
import { cutTape, mergeTapes, TapeRefused, type WrittenTape } from '../adapters/tape/tape-cut.js';
import { indexedTape, indexPathOf, writeTapeIndex } from '../adapters/tape/tape-index-file.js';
import { surveyTape, type TapeProgress, type TapeSurvey } from '../adapters/tape/tape-survey.js';
import { TapeUnreadable } from '../adapters/tape/tape-unreadable.js';
import { alignedLines } from '../backtest/summary.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { tapeFailure } from '../server/failures/failure.js';
import { momentOption } from './api/moment-option.js';
import { momentShown } from './api/output/shown.js';
import { JSON_OPTION } from './command-options.js';
import { GROUP_HEADS } from './group-heads.js';
import { print, printJson } from './print.js';
import { progressLine } from './progress-line.js';

/** What is kept of a tape, and where. */
interface CutOptions {
  readonly from?: string;
  readonly to?: string;
  readonly markets?: string;
  readonly out: string;
  readonly json?: boolean;
}

const EXITS = `
Exit codes:
  0    done
  1    the tape has nothing of what was asked for, or tapes are of two sources
  64   the command line is wrong
  78   a tape cannot be read`;

const help = (example: string): string => `${EXITS}\n\nFor example:\n  ${example}`;

/** `stakeport tape`: what tapes hold, and tapes made of parts of them. */
export function tapeCommand(): Command {
  const tape = new Command('tape').description(GROUP_HEADS.tape.means);
  tape
    .command('info')
    .description('say what a tape holds: its span, markets, lines, gaps, and what it can prove')
    .argument('<tape>', 'a tape')
    .option(...JSON_OPTION)
    .addHelpText('after', help('stakeport tape info march.jsonl.gz'))
    .action(info);
  tape
    .command('check')
    .description('read all of each tape, and name the first line that cannot be played')
    .argument('<tape...>', 'tapes')
    .addHelpText('after', help('stakeport tape check march.jsonl.gz april.jsonl.gz'))
    .action(check);
  tape
    .command('cut')
    .description('write a part of a tape into a new one, which plays alone')
    .argument('<tape>', 'a tape')
    .option('--from <moment>', 'its first moment', momentOption)
    .option('--to <moment>', 'its last moment', momentOption)
    .option('--markets <names>', 'ids, slugs or numbers of markets, apart by commas')
    .requiredOption('--out <path>', 'a new file; gzip when it ends in .gz, zstd when in .zst (required)')
    .option(...JSON_OPTION)
    .addHelpText('after', help('stakeport tape cut march.jsonl.gz --markets epl-ars-che --out game.jsonl.gz'))
    .action(cut);
  tape
    .command('merge')
    .description('write tapes of one source into one, in order of time')
    .argument('<tape...>', 'tapes of one venue and source')
    .requiredOption('--out <path>', 'a new file; gzip when it ends in .gz, zstd when in .zst (required)')
    .option(...JSON_OPTION)
    .addHelpText('after', help('stakeport tape merge march-01.jsonl.gz march-02.jsonl.gz --out march.jsonl.gz'))
    .action(merge);
  tape
    .command('index')
    .description('write TAPE.index, by which backtest, sweep and cut read only the markets that they follow')
    .argument('<tape...>', 'tapes, whole')
    .addHelpText('after', help('stakeport tape index march.jsonl.gz'))
    .action(index);
  return tape;
}

async function index(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { lines, markets } = await withProgress(path, (show) => writeTapeIndex(path, show));
    print(`${indexPathOf(path)}: ${lines} lines on ${markets} ${markets === 1 ? 'market' : 'markets'}.`);
  }
}

/** Says of which tapes the index is not used, since they are not as they were. */
export async function noteStaleIndexes(paths: readonly string[]): Promise<void> {
  for (const path of paths)
    if ((await indexedTape(path)) === 'stale')
      process.stderr.write(
        `warning: ${indexPathOf(path)} is of another state of the tape and is not used: stakeport tape index ${path}\n`,
      );
}

async function info(path: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  const found = await withProgress(path, (show) => surveyTape(path, show));
  if (json) printJson(found);
  else print(surveyText(found));
}

async function check(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { lines } = await withProgress(path, (show) => surveyTape(path, show));
    print(`${path}: all of its ${lines} lines can be played.`);
  }
}

async function cut(path: string, { from, to, markets, out, json = false }: CutOptions): Promise<void> {
  const names = markets?.split(',').filter((name) => name !== '');
  if (names?.length === 0)
    throw new CommandFailed('--markets names no market. See stakeport tape cut --help', EXIT.usage);
  const moment = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const part = { from: moment(from), to: moment(to), markets: names };
  report(out, await withProgress(path, (show) => cutTape(path, out, part, show)), json);
  if (names !== undefined) await noteStaleIndexes([path]);
}

async function merge(paths: readonly [string, ...string[]], { out, json = false }: CutOptions): Promise<void> {
  report(out, await withProgress(paths.join(', '), (show) => mergeTapes(paths, out, show)), json);
}

function report(out: string, { lines, markets }: WrittenTape, json: boolean): void {
  if (json) printJson({ out, lines, markets });
  else print(`${out}: ${lines} lines on ${markets} ${markets === 1 ? 'market' : 'markets'}.`);
}

/** What fails is one line that says what to do. */
async function withProgress<T>(named: string, work: (show: (reached: TapeProgress) => void) => Promise<T>): Promise<T> {
  const progress = progressLine();
  try {
    return await work(({ done, at }) => progress.show(done, `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`));
  } catch (error) {
    if (error instanceof TapeRefused) throw new CommandFailed(error.message, EXIT.no, error);
    if (!(error instanceof TapeUnreadable) || error instanceof NodeTooOld) throw tapeFailure(error, named, EXIT.usage);
    throw new CommandFailed(`${error.path ?? named}: ${error.message}. ${adviceOn(error)}`, EXIT.config, error);
  } finally {
    progress.clear();
  }
}

function adviceOn({ line }: TapeUnreadable): string {
  if (line === null || line === 1) return 'Give a tape: its first line says what it is.';
  return 'What is before it can be kept: stakeport tape cut with --to the t of the line before.';
}

function surveyText({ header, from, to, lines, kinds, coverage, ...counts }: TapeSurvey): string {
  const { evidence, vendor, version, licence, clock, metadata } = header.source;
  const known =
    coverage === null ? 'nothing was traded' : `${(Math.floor(coverage * 1000) / 10).toFixed(1)} % of the time`;
  const rows: readonly (readonly [string, string])[] = [
    ['format', `version ${header.version}`],
    ['venue', header.venue],
    ['evidence', evidence],
    ['source', [vendor, version, licence].filter((part) => part !== null).join(', ')],
    ['times', clock],
    ['markets as known', metadata === 'as_of_then' ? 'then' : 'when the tape was made'],
    ['from', momentShown(from)],
    ['to', momentShown(to)],
    ['lines', `${lines}`],
    ...Object.entries(kinds).map(([kind, count]): readonly [string, string] => [`  ${kind}`, `${count}`]),
    ['markets', `${counts.markets}`],
    ['games', `${counts.games}`],
    ['results', `${counts.results}`],
    ['gaps', `${counts.gaps}`],
    ['prices known', known],
  ];
  return alignedLines(rows, [0, 1]).join('\n');
}
