import { type RecordingProgress, recordTape, TapeUnreadable } from '../adapters/tape/index.js';
import { DomainError, MarketNotFound } from '../core/errors.js';
import type { MarketId } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import type { MarketData } from '../ports/market-data.js';
import type { MarketDataConfig } from './config.js';
import { openMarketSource } from './market-source.js';
import { configOrExit } from './run.js';

/** What to record, and where to. */
export interface RecordOptions {
  /** Condition ids, slugs or numbers. */
  readonly market: readonly string[];
  readonly out: string;
}

/** Which of the markets cannot be recorded, and why. */
class MarketNotRecorded extends Error {}

/** What the message alone explains, beside what the operating system says. */
const EXPLAINED = [DomainError, MarketNotRecorded, TapeUnreadable];

/** Records markets of the configured source until a signal ends it, or the process is killed: the tape is good either way. */
export async function record(options: RecordOptions): Promise<void> {
  const { marketData } = configOrExit();
  if (marketData.kind === 'none') return fail('There is nothing to record: set MARKET_DATA to polymarket.');
  try {
    await recordFrom(marketData, options);
  } catch (error) {
    if (!isExplained(error)) throw error;
    fail(error.message);
  }
}

async function recordFrom(config: MarketDataConfig, { market: names, out }: RecordOptions): Promise<void> {
  const source = await openMarketSource(config, (reason) => process.stderr.write(`\n${reason}\n`));
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  try {
    const markets = await Promise.all(names.map((name) => named(source.data, name)));
    await source.start();
    const done = await recordTape({
      ...{ markets: onceEach(markets), source: source.data, clock: source.timeline, venue: config.kind, out },
      ...{ progress: show, signal: ending.signal },
    });
    process.stderr.write(`\n${out}: ${inWords(done)}\n`);
  } finally {
    await source.close();
  }
}

/** One market may be named twice; recorded twice, its trades would count double. */
function onceEach(markets: readonly Market[]): readonly Market[] {
  return [...new Map(markets.map((market) => [market.id, market])).values()];
}

function isExplained(error: unknown): error is Error {
  return error instanceof Error && ('syscall' in error || EXPLAINED.some((explained) => error instanceof explained));
}

async function named(source: MarketData, name: string): Promise<Market> {
  try {
    const market = await source.find(name as MarketId);
    if (market === undefined) throw new MarketNotFound(name);
    return market;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new MarketNotRecorded(`${name}: ${error.message}`);
  }
}

function show(progress: RecordingProgress): void {
  process.stderr.write(`\r${inWords(progress)} `);
}

function inWords({ events, gaps, bytes, seconds }: RecordingProgress): string {
  return `${events} events, ${gaps} gaps, ${bytes} bytes in ${seconds} s`;
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 2;
}
