import { Command } from 'commander';
import { compareRuns, comparisonText, RunUnreadable, readRun } from '../backtest/compare.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { JSON_OPTION } from './command-options.js';
import { print } from './print.js';

/** `stakeport backtest compare`. */
export function compareCommand(): Command {
  return (
    new Command('compare')
      .description(
        'put two runs of stakeport backtest --out side by side: each measure of both, and the difference of their profit per event with its 95 % interval',
      )
      .argument('<a>', 'the folder of a run, or its result.json')
      .argument('<b>', 'that of another run')
      .option(...JSON_OPTION)
      .addHelpText('after', '\nFor example:\n  stakeport backtest compare runs/before runs/after')
      // Options of the same name go to the command above it.
      .action((a: string, b: string, _: object, command: Command) => compare(a, b, command.optsWithGlobals()))
  );
}

async function compare(a: string, b: string, { json = false }: { readonly json?: boolean }): Promise<void> {
  try {
    const compared = compareRuns(await readRun(a), await readRun(b));
    print(json ? JSON.stringify(compared) : comparisonText(compared));
  } catch (error) {
    if (!(error instanceof RunUnreadable)) throw error;
    throw new CommandFailed(error.message, EXIT.usage, error);
  }
}
