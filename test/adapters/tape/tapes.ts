import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { headerText, lineText, RECORDED, type TapeLine } from '../../../src/adapters/tape/tape-line.js';
import type { MarketId, VenueName } from '../../../src/core/ids.js';
import type { Evidence, MarketChange, MarketEvent } from '../../../src/core/market/event.js';
import { type Market, unlistedMarket } from '../../../src/core/market/market.js';
import { price, shares } from '../../../src/core/money.js';
import { afterEachFile } from '../../support/after-file.js';

let folder: string | undefined;
let files = 0;

afterEachFile(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});

/** Twelve o'clock. */
export const START = Date.parse('2026-03-01T12:00:00.000Z');
export const HEADER = '{"stakeport_tape":1,"recorded_at":"2026-03-01T12:00:00.000Z","venue":"test"}';

/** This many milliseconds after twelve. */
export const pastNoon = (ms: number): Date => new Date(START + ms);

export function listed(name: string, changes: Partial<Market> = {}): Market {
  const id = `0x${name}` as MarketId;
  return {
    ...unlistedMarket(id, 'test' as VenueName),
    conditionId: id,
    slug: `${name}-slug`,
    venueId: `${name.length}7`,
    status: 'open',
    ...changes,
  };
}

export const RAIN = listed('rain');
export const SNOW = listed('snowfall');

export const level = (at: string, total: string) => ({ price: price(at), shares: shares(total) });
export const book = (bid: string, ask: string): MarketChange => ({
  type: 'book',
  bids: [level(bid, '10')],
  asks: [level(ask, '20')],
});
export const trade = (total: string): MarketChange => ({ type: 'trade', ...level('0.5', total), taker: 'BUY' });
export const described = (market: Market): MarketChange => ({ type: 'market', market });

/** A line of a tape, this many milliseconds after twelve. */
export function line(ms: number, change: MarketChange, { id }: Market = RAIN): TapeLine {
  return { at: pastNoon(ms), type: 'change', marketId: id, change };
}

export const alive = (ms: number): TapeLine => ({ at: pastNoon(ms), type: 'alive' });

/** A path in a folder that is gone after the tests. */
export function freshPath(ending = '.jsonl'): string {
  files += 1;
  folder ??= mkdtempSync(join(tmpdir(), 'stakeport-tape-'));
  return join(folder, `${files}${ending}`);
}

export const textOf = (...lines: readonly TapeLine[]): string =>
  [HEADER, ...lines.map(lineText)].map((text) => `${text}\n`).join('');

/** The text of a tape of version 2 whose lines prove this. */
export const textProving = (evidence: Evidence, ...lines: readonly TapeLine[]): string => {
  const header = headerText({
    recordedAt: pastNoon(0),
    venue: 'test',
    source: { ...RECORDED, vendor: 'pmxt', evidence },
  });
  return [header, ...lines.map(lineText)].map((text) => `${text}\n`).join('');
};

/** A tape with these lines. */
export function tape(...lines: readonly TapeLine[]): string {
  return fileOf(textOf(...lines));
}

export function fileOf(content: string | Uint8Array, ending = '.jsonl'): string {
  const path = freshPath(ending);
  writeFileSync(path, content);
  return path;
}

export const packed = (...lines: readonly TapeLine[]): Buffer => gzipSync(textOf(...lines));

export async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of source) found.push(item);
  return found;
}

/** A short summary of an event, such as `0 gap`, by the milliseconds after twelve. */
export const brief = ({ at, type }: MarketEvent): string => `${at.getTime() - START} ${type}`;
