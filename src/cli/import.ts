import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { ImportRefused } from '../adapters/import/import-refused.js';
import { IMPORTERS, type ImportReport, importTape } from '../adapters/import/import-tape.js';
import { parseMicro } from '../core/money.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { tapeFailure } from '../server/failures/failure.js';
import { JSON_OPTION } from './command-options.js';
import { GROUP_HEADS } from './group-heads.js';
import { print, printJson } from './print.js';
import { progressLine } from './progress-line.js';

/** What to import, and where to write the tape. */
interface ImportCommandOptions {
  readonly in: readonly string[];
  readonly markets?: readonly string[];
  readonly meta: string;
  readonly results?: string;
  readonly fee?: string;
  readonly anySize?: boolean;
  readonly useSecond?: boolean;
  readonly late?: boolean;
  readonly out: string;
  readonly json?: boolean;
}

const KINDS = IMPORTERS.map(({ kind }) => kind).join(', ');

const EXITS = `
Kinds:
${IMPORTERS.map(({ kind, summary }) => `  ${kind.padEnd(16)}${summary}`).join('\n')}

Exit codes:
  0   done
  1   the files hold nothing of the markets
  64  the command line is wrong
  78  a file cannot be read, or does not fit the others

For example:
  stakeport import pmxt --in polymarket_orderbook_2026-06-26T0*.parquet --meta markets.jsonl --out june.jsonl.gz`;

/** `stakeport import`. */
export function importCommand(): Command {
  return new Command('import')
    .description(GROUP_HEADS.import.means)
    .argument('<kind>', KINDS)
    .requiredOption('--in <file...>', 'the files of the archive, in any order (required)')
    .requiredOption('--meta <file>', 'the markets: lines of a tape, answers of Gamma or of Kalshi (required)')
    .option('--markets <id...>', 'ids of markets, or a file with one a line; all of --meta unless given')
    .option('--results <file>', 'results, one a line: {"market_id":…,"at":…,"payout":["1","0"]}')
    .option('--fee <rate>', 'the fee rate of markets whose fee --meta does not know, such as 0.05', feeOption)
    .option('--any-size', 'take small files too: you cut them yourself')
    .option('--late', 'take files of Kalshi whose rows were received more than a minute late')
    .option('--use-second', 'read a market from its second outcome where the first has no rows')
    .requiredOption('--out <path>', 'the tape, a new file; gzip when it ends in .gz (required)')
    .option(...JSON_OPTION)
    .addHelpText('after', EXITS)
    .action(bringIn);
}

/** A rate below 1 as given on the command line. @throws InvalidArgumentError in words */
function feeOption(text: string): string {
  try {
    if (parseMicro(text) < 1_000_000n) return text;
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('It takes a rate from 0 to below 1, such as 0.05.');
}

async function bringIn(kind: string, options: ImportCommandOptions): Promise<void> {
  const {
    in: files,
    markets: named,
    meta,
    results,
    fee,
    anySize = false,
    useSecond = false,
    late = false,
    out,
    json = false,
  } = options;
  const importer = IMPORTERS.find((one) => one.kind === kind);
  if (importer === undefined)
    throw new CommandFailed(
      `There is no kind ${JSON.stringify(kind)}: ${KINDS}. See stakeport import --help`,
      EXIT.usage,
    );
  const markets = named === undefined ? ('all' as const) : await idsOf(named);
  const progress = progressLine();
  const report = await importTape({
    importer,
    files,
    markets,
    meta,
    results,
    fee,
    anySize,
    useSecond,
    late,
    out,
    onProgress: progress.show,
  })
    .catch((error: unknown): never => {
      if (!(error instanceof ImportRefused))
        throw tapeFailure(error, (error as NodeJS.ErrnoException).path ?? files.join(', '));
      throw new CommandFailed(`${error.message}.`, error.kind === 'nothing' ? EXIT.no : EXIT.config, error);
    })
    .finally(progress.clear);
  if (json) printJson(report);
  else print(summaryOf(report, out));
}

/** Ids as they are given, or those in a file with this name. */
async function idsOf(named: readonly string[]): Promise<readonly string[]> {
  const all: string[] = [];
  for (const name of named) {
    const text = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return name;
      throw tapeFailure(error, name, EXIT.usage);
    });
    all.push(...text.split(/\s+/).filter((id) => id !== ''));
  }
  return all;
}

function summaryOf({ source, attribution, from, to, markets, counts, warnings }: ImportReport, out: string): string {
  const lines = markets.reduce((sum, market) => sum + market.lines, 0);
  const about = `${markets.length} market${markets.length === 1 ? '' : 's'}, ${lines} changes, ${counts['gaps'] ?? 0} gaps`;
  return [
    `${out}: ${about}, ${from} to ${to}`,
    `evidence ${source.evidence}, by ${source.vendor}${source.version === null ? '' : ` ${source.version}`}`,
    ...warnings.map(({ detail }) => `! ${detail}`),
    ...(attribution === null ? [] : [`When you publish what rests on it: ${attribution}`]),
    `All that was counted: ${out}.import.json`,
  ].join('\n');
}
