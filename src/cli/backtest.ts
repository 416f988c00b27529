import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { backtest } from '../backtest/backtest.js';
import {
  type BacktestBody,
  type BacktestOptions,
  BacktestRefused,
  BacktestTapeUnreadable,
} from '../backtest/backtest-plan.js';
import { writeRun } from '../backtest/files.js';
import { backtestResultOf } from '../backtest/result.js';
import { type BacktestSignal, readSignals, SignalRowInvalid } from '../backtest/signal-rows.js';
import { summaryOf } from '../backtest/summary.js';
import type { Ledger } from '../ports/ledger.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { tapeFailure } from '../server/failures/failure.js';
import { openStore } from '../server/wiring/store.js';
import { momentOption } from './api/moment-option.js';
import { JSON_OPTION, wholeOption } from './command-options.js';
import { compareCommand } from './compare.js';
import { GROUP_HEADS } from './group-heads.js';
import { print } from './print.js';
import { progressLine } from './progress-line.js';
import { noteStaleIndexes } from './tape.js';

/** What to play, and where to write what came of it. */
interface BacktestCommandOptions {
  readonly strategy?: readonly string[];
  readonly limits?: string;
  readonly signals?: string;
  readonly zone: string;
  readonly cash: string;
  readonly latency: number;
  readonly from?: string;
  readonly to?: string;
  readonly seed: string;
  readonly together?: boolean;
  readonly workers: number;
  readonly json?: boolean;
  readonly out?: string;
  readonly database?: string;
}

/** As of a process that ^C ended. */
export const INTERRUPTED = 130;

const EXITS = `
Exit codes:
  0    done
  1    no market of the tapes is one that the rules name
  64   the command line is wrong, or a strategy, the limits or a signal is refused
  78   a tape cannot be read
  130  ended by ^C; what was reached is printed and written, marked as partial

For example:
  stakeport backtest march.jsonl.gz --strategy homes.json --out runs/homes`;

const list = (file: string, before: readonly string[] = []): readonly string[] => [...before, file];

/** `stakeport backtest`, with `compare` under it. */
export function backtestCommand(): Command {
  return new Command('backtest')
    .description(GROUP_HEADS.backtest.means)
    .argument('<tape...>', 'tapes of one venue')
    .option('--strategy <file>', 'the body of POST /v1/strategies; repeat it for more (required)', list)
    .option('--limits <file>', 'the body of PUT /v1/limits, for each account')
    .option(
      '--signals <file>',
      'what models said, as CSV or JSON lines: name, market_id, known_at, expires_at, outcome, probability',
    )
    .option('--zone <name>', 'the time zone whose midnight begins a day', 'UTC')
    .option('--cash <usdc>', 'the dollars of each account', '1000')
    .option('--latency <ms>', 'how long an order takes to reach the book', wholeOption, 150)
    .option('--from <moment>', 'decide from then on, on books made of the lines before', momentOption)
    .option('--to <moment>', 'the last moment that is played', momentOption)
    .option('--seed <text>', 'what the draws of intervals depend on', '0')
    .option('--together', 'one account for all strategies, and not one of each')
    .option('--workers <n>', 'threads that share out the strategies', wholeOption, 1)
    .option('--out <dir>', 'write the result, its tables and report.html into this folder')
    .option('--database <url>', 'keep what goes on record in this new database')
    .option(JSON_OPTION[0], 'print result.json')
    .addHelpText('after', EXITS)
    .action(play)
    .addCommand(compareCommand());
}

async function play(tapes: readonly string[], options: BacktestCommandOptions): Promise<void> {
  const { json = false, out } = options;
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end);
  const asked = await readOptions(tapes, options);
  const store = options.database === undefined ? null : await newStore(options.database);
  try {
    const progress = progressLine();
    const run = await backtest({
      ...asked,
      signal: ending.signal,
      onProgress: ({ at, done }) => progress.show(done, `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`),
      workers: options.workers,
      ...(store !== null && { ledger: store.ledger }),
    })
      .catch(refused(tapes))
      .finally(progress.clear);
    const result = backtestResultOf(run);
    if (out !== undefined)
      await writeRun(run, result, out).catch((error: unknown) => {
        throw tapeFailure(error, `--out ${out}`, EXIT.usage);
      });
    print(json ? JSON.stringify(result) : summaryOf(result));
    await noteStaleIndexes(tapes);
    if (out !== undefined && !json) print(`\nWritten to ${out}: open report.html in a browser.`);
    if (run.header.partial && ending.signal.aborted) process.exitCode = INTERRUPTED;
  } finally {
    process.off('SIGINT', end);
    await store?.close();
  }
}

/** What is refused is one line that says what to do. */
const refused =
  (tapes: readonly string[]) =>
  (error: unknown): never => {
    if (error instanceof BacktestRefused)
      throw new CommandFailed(sentence(error.message), error.reason === 'nothing' ? EXIT.no : EXIT.usage, error);
    if (error instanceof BacktestTapeUnreadable) throw tapeFailure(error.cause, error.path);
    throw tapeFailure(error, tapes.join(', '));
  };

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

async function readOptions(tapes: readonly string[], options: BacktestCommandOptions): Promise<BacktestOptions> {
  const { strategy, limits, signals, zone, cash, latency, from, to, seed, together = false } = options;
  // An option that commander requires would be required of compare too.
  if (strategy === undefined)
    throw new CommandFailed('Name a strategy: --strategy FILE. See stakeport backtest --help', EXIT.usage);
  const strategies: BacktestBody[] = [];
  for (const file of strategy) strategies.push(await readBody(file));
  return {
    tapes,
    strategies,
    limits: limits === undefined ? null : await readBody(limits),
    signals: signals === undefined ? [] : await readRows(signals),
    zone,
    cash,
    latencyMs: latency,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
    seed,
    together,
  };
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw tapeFailure(error, file, EXIT.usage);
  });
}

async function readBody(file: string): Promise<BacktestBody> {
  const text = await readText(file);
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as BacktestBody;
  } catch (error) {
    throw new CommandFailed(
      `${file} is not JSON: ${error instanceof Error ? error.message : error}.`,
      EXIT.usage,
      error,
    );
  }
  throw new CommandFailed(`${file} must be one JSON object, as a body of the API.`, EXIT.usage);
}

async function readRows(file: string): Promise<readonly BacktestSignal[]> {
  const text = await readText(file);
  try {
    return readSignals(text);
  } catch (error) {
    if (!(error instanceof SignalRowInvalid)) throw error;
    throw new CommandFailed(`${file}: ${error.message}.`, EXIT.usage, error);
  }
}

/** A database in which nothing is yet: a run is the only one in it. @throws CommandFailed */
async function newStore(url: string): Promise<{ readonly ledger: Ledger; close(): Promise<void> }> {
  if (!/^(sqlite|postgres|postgresql):/.test(url))
    throw new CommandFailed('--database takes a URL such as sqlite:runs/homes.sqlite or postgres://…', EXIT.usage);
  const store = await openStore({ database: { kind: 'sql', url } }, true);
  const [account] = await store.ledger.listAccounts({}, { limit: 1 });
  if (account === undefined) return store;
  await store.close();
  throw new CommandFailed('--database takes a new database, and there are accounts in this one.', EXIT.usage);
}
