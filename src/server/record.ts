import { type RecordingProgress, recordTape } from '../adapters/tape/index.js';
import { DomainError, MarketNotFound } from '../core/errors.js';
import type { MarketId } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import type { MarketData } from '../ports/market-data.js';
import { openMarketSource } from './market-source.js';
import { configOrExit } from './run.js';

/** What to record, and where to. */
export interface RecordOptions {
  /** Condition ids, slugs or numbers. */
  readonly market: readonly string[];
  readonly out: string;
}

/** Records markets of the configured source until a signal ends it, or the process is killed: the tape is good either way. */
export async function record({ market: names, out }: RecordOptions): Promise<void> {
  const config = configOrExit();
  if (config.marketData.kind === 'none') return fail('There is nothing to record: set MARKET_DATA to polymarket.');
  const source = await openMarketSource(config.marketData, (reason) => process.stderr.write(`\n${reason}\n`));
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  try {
    const markets = await Promise.all(names.map((name) => named(source.data, name)));
    source.start();
    const done = await recordTape({
      ...{ markets, source: source.data, clock: source.timeline, venue: config.marketData.kind, out },
      ...{ progress: show, signal: ending.signal },
    });
    process.stderr.write(`\n${out}: ${inWords(done)}\n`);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    fail(error.message);
  } finally {
    await source.close();
  }
}

async function named(source: MarketData, name: string): Promise<Market> {
  const market = await source.find(name as MarketId);
  if (market === undefined) throw new MarketNotFound(name);
  return market;
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
