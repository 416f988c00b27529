import { once } from 'node:events';
import { type Recording, type RecordingProgress, readTapeHeader, recordTape } from '../adapters/tape/index.js';
import { recordSearch } from '../adapters/tape/record-search.js';
import { RECORDED } from '../adapters/tape/tape-line.js';
import { MarketNotFound } from '../core/errors.js';
import type { MarketId } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import type { MarketData } from '../ports/market-data.js';
import { CommandFailed, EXIT } from '../server/failures/exit.js';
import { failureOf, tapeFailure } from '../server/failures/failure.js';
import type { MarketDataConfig } from '../server/settings/config.js';
import { configuredAlone } from '../server/settings/configured.js';
import { MARKET_DATA_VARIABLES } from '../server/settings/settings.js';
import { VENUE_ADAPTERS } from '../server/venues.js';
import { openMarketSource } from '../server/wiring/market-source.js';
import { printJson } from './print.js';

/** What to record, and where to: markets by their names in one tape, or all of a sport or league in a folder. */
export interface RecordOptions {
  /** Ids, slugs or numbers. */
  readonly market?: readonly string[];
  readonly sport?: string;
  readonly league?: string;
  readonly daysAhead?: number;
  readonly out: string;
  readonly json?: boolean;
}

const GRACE_MS = 1000;
const [FIRST] = VENUE_ADAPTERS;
const ONE_VENUE =
  'MARKET_DATA names several venues, and a tape is of one. Set it to one of them for this command: MARKET_DATA=NAME stakeport record …';
const NO_SOURCE = [
  'There is no source to record: MARKET_DATA is none. Set it to the name of a venue:',
  `  MARKET_DATA=${FIRST.name} stakeport record --market <id, slug or number> --out game.jsonl.gz`,
].join('\n');

const WHAT = [
  'record takes either --market, or --sport, --league or both, with --days-ahead if need be.',
  'See stakeport record --help',
].join(' ');

/**
 * Records markets of the configured source until a signal ends it, or the process is killed: the tape is valid either way.
 * A signal before the markets are found leaves no file.
 */
export async function record(options: RecordOptions): Promise<void> {
  const { market: names, sport, league, daysAhead } = options;
  const isSearch = sport !== undefined || league !== undefined;
  if (isSearch === (names !== undefined) || (daysAhead !== undefined && !isSearch))
    throw new CommandFailed(WHAT, EXIT.usage);
  const { marketData, others, recording } = configuredAlone(...MARKET_DATA_VARIABLES, 'RECORD_MAX_MB');
  if (marketData.kind === 'none') throw new CommandFailed(NO_SOURCE, EXIT.config);
  if (others.length > 0) throw new CommandFailed(ONE_VENUE, EXIT.config);
  if (marketData.kind === 'tape') await refuseOtherEvidence(marketData.path);
  const work = names === undefined ? searching(options, recording.mostBytes) : naming(names, options);
  await recordFrom(marketData, options, work);
}

/** A recording says that it holds each change and each trade: one of a tape that holds less would be taken for more than it proves. */
async function refuseOtherEvidence(path: string): Promise<void> {
  const setting = `MARKET_DATA=tape:${path}`;
  const { source } = await readTapeHeader(path).catch((error: unknown) => {
    throw tapeFailure(error, setting);
  });
  if (source.evidence === RECORDED.evidence && source.vendor === RECORDED.vendor) return;
  throw new CommandFailed(
    `${setting} holds ${source.evidence} of ${source.vendor}, and a recording would not say so. Take parts of it with stakeport tape cut.`,
    EXIT.config,
  );
}

/** What both ways of recording need. */
interface Recorder extends Pick<Recording, 'clock' | 'progress' | 'signal' | 'source'> {
  readonly venue: string;
}

/** Records until the signal aborts; undefined when that was before anything could be recorded. */
type Work = (recorder: Recorder, start: () => Promise<void>) => Promise<RecordingProgress | undefined>;

const naming =
  (names: readonly string[], { out }: RecordOptions): Work =>
  async (recorder, start) => {
    const found = Promise.all(names.map((name) => named(recorder.source, name)));
    const markets = await Promise.race([found, once(recorder.signal, 'abort').then(() => undefined)]);
    if (markets === undefined) {
      found.catch(() => {});
      return undefined;
    }
    await start();
    return recordTape({ ...recorder, markets: onceEach(markets), out });
  };

const searching =
  ({ sport, league, daysAhead = 1, out }: RecordOptions, mostBytes: number): Work =>
  async (recorder, start) => {
    await start();
    const search = { ...(sport !== undefined && { sport }), ...(league !== undefined && { league }) };
    return recordSearch({ ...recorder, search, daysAhead, folder: out, mostBytes, report: say });
  };

async function recordFrom(config: MarketDataConfig, { out, json = false }: RecordOptions, work: Work): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const source = await openMarketSource(config, (reason) => say(reason));
  try {
    const recorder: Recorder = {
      source: source.data,
      clock: source.timeline,
      venue: source.data.venue,
      progress: show,
      signal: ending.signal,
    };
    const done = await work(recorder, () => source.start()).catch((error: unknown) => {
      throw tapeFailure(error, `--out ${out}`, EXIT.usage);
    });
    if (done === undefined) return say('Ended before anything could be recorded.');
    say(`${out}: ${inWords(done)}`);
    if (json) printJson({ out, ...done });
  } finally {
    // A request still in progress is not waited for.
    setTimeout(() => process.exit(), GRACE_MS).unref();
    await source.close();
  }
}

/** The markets, each once: of one that was named twice, trades would count double. */
function onceEach(markets: readonly Market[]): readonly Market[] {
  return [...new Map(markets.map((market) => [market.id, market])).values()];
}

async function named(source: MarketData, name: string): Promise<Market> {
  try {
    const market = await source.find(name as MarketId);
    if (market === undefined) throw new MarketNotFound(name);
    return market;
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    throw new CommandFailed(`${name}: ${failure.message}`, failure.exit, error);
  }
}

/** A line that overwrites itself is for a terminal only. */
function show(progress: RecordingProgress): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${inWords(progress)} `);
}

function say(line: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${line}\n`);
}

function inWords({ events, gaps, bytes, seconds }: RecordingProgress): string {
  return `${counted(events, 'event')}, ${counted(gaps, 'gap')}, ${counted(bytes, 'byte')} in ${seconds} s`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
