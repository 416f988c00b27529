import { Command } from 'commander';
import { BacktestRefused, BacktestTapeUnreadable } from '../backtest/backtest-plan.js';
import { stableJson } from '../backtest/result.js';
import { objectiveText, sweepWeaknesses, trialsText, verdictOfSweep, walkText } from '../report/sweep-words.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { tapeFailure } from '../server/failures/failure.js';
import { bestOf } from '../sweep/files.js';
import type { SweepOutcome } from '../sweep/outcome.js';
import { SweepRefused } from '../sweep/plan.js';
import { sweep } from '../sweep/sweep.js';
import { INTERRUPTED } from './backtest.js';
import { JSON_OPTION, wholeOption } from './command-options.js';
import { GROUP_HEADS } from './group-heads.js';
import { print } from './print.js';
import { progressLine } from './progress-line.js';
import { noteStaleIndexes } from './tape.js';

/** Where a sweep is written, and by how many threads it is played. */
interface SweepCommandOptions {
  readonly out: string;
  readonly trials?: string;
  readonly workers: number;
  readonly json?: boolean;
}

const EXITS = `
Exit codes:
  0    done
  1    no market of the tapes is one that the rules name
  64   the command line is wrong, or the plan, a variant, the limits or a signal is refused
  78   a tape cannot be read
  130  ended by ^C; the same command goes on with what is missing

For example:
  stakeport sweep homes.plan.json --out sweeps/homes`;

/** `stakeport sweep`. */
export function sweepCommand(): Command {
  return new Command('sweep')
    .description(GROUP_HEADS.sweep.means)
    .argument('<plan>', 'what to play: see docs/sweeps.md')
    .requiredOption(
      '--out <dir>',
      'the folder of the sweep: leaderboard.csv, best.json, sweep.html, and what is done so far (required)',
    )
    .option('--trials <file>', 'counts what was tried on these tapes; by default beside the first tape')
    .option('--workers <n>', 'threads that share out groups of variants', wholeOption, 1)
    .option(JSON_OPTION[0], 'print best.json')
    .addHelpText('after', EXITS)
    .action(play);
}

async function play(plan: string, { out, trials, workers, json = false }: SweepCommandOptions): Promise<void> {
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end);
  const progress = progressLine();
  try {
    const outcome = await sweep({
      plan,
      folder: out,
      workers,
      signal: ending.signal,
      onProgress: ({ done, groups: [ready, all] }) => progress.show(done, `${ready} of ${all} groups`),
      ...(trials !== undefined && { trials }),
    })
      .catch(refused(plan))
      .finally(progress.clear);
    if (outcome === null) {
      process.exitCode = INTERRUPTED;
      print('Ended early: the same command goes on with what is missing.');
      return;
    }
    print(json ? stableJson(bestOf(outcome)).trimEnd() : summaryOf(outcome, out));
    await noteStaleIndexes(outcome.plan.tapes);
  } finally {
    process.off('SIGINT', end);
  }
}

/** What is refused is one line that says what to do. */
const refused =
  (plan: string) =>
  (error: unknown): never => {
    if (error instanceof SweepRefused) throw new CommandFailed(error.message, EXIT.usage, error);
    if (error instanceof BacktestRefused)
      throw new CommandFailed(`${plan}: ${error.message}`, error.reason === 'nothing' ? EXIT.no : EXIT.usage, error);
    if (error instanceof BacktestTapeUnreadable) throw tapeFailure(error.cause, error.path);
    const path = error instanceof Error && 'path' in error ? String(error.path) : plan;
    throw tapeFailure(error, path, EXIT.usage);
  };

const MOST_WEAKNESSES = 5;

function summaryOf(outcome: SweepOutcome, out: string): string {
  const { best, plan, walkForward } = outcome;
  const weaknesses = sweepWeaknesses(outcome);
  const more = weaknesses.length - MOST_WEAKNESSES;
  const text = (value: number | null | undefined) => objectiveText(plan.objective, value ?? null);
  return [
    verdictOfSweep(outcome),
    '',
    `best     ${best.variant.name}`,
    `train    ${plan.objective} ${text(best.objective)} over ${best.figures.train.events} events`,
    ...(best.figures.test === null
      ? []
      : [`test     ${plan.objective} ${text(best.figures.test.objective)} over ${best.figures.test.events} events`]),
    ...(walkForward === null ? [] : ['', walkText(walkForward)]),
    '',
    trialsText(outcome),
    ...weaknesses.slice(0, MOST_WEAKNESSES).map((sentence) => `warning: ${sentence}`),
    ...(more > 0 ? [`${more} more warnings are in best.json`] : []),
    '',
    `Written to ${out}: open sweep.html in a browser.`,
  ].join('\n');
}
