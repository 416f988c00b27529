import type { MarketId, VenueName } from '../../core/ids.js';
import { NO_VENUE, VENUE_NAME } from '../../core/market/market.js';
import { readHeader, readLine, type TapeHeader, type TapeLine } from './tape-line.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { type TextLine, textLines } from './text-lines.js';

/**
 * The first line of a tape. @throws TapeUnreadable when the file does not begin as a tape
 *
 * @example
 * ```ts
 * import { readTapeHeader } from 'stakeport/tape';
 *
 * const { venue, recordedAt } = await readTapeHeader('season.jsonl.gz');
 * console.log(venue, recordedAt);
 * ```
 */
export async function readTapeHeader(path: string): Promise<TapeHeader> {
  for await (const line of textLines(path)) return headerOf(line);
  throw new TapeUnreadable(1, 'the file is empty');
}

/**
 * All lines of a tape but the first, one at a time. A truncated last line, or a truncated compressed file, is the end.
 * @throws TapeUnreadable for anything outside the format, with its line
 *
 * @example
 * ```ts
 * import { readTape } from 'stakeport/tape';
 *
 * let lines = 0;
 * for await (const _ of readTape('season.jsonl.gz')) lines += 1;
 * ```
 */
export async function* readTape(path: string): AsyncGenerator<TapeLine> {
  const markets = new Set<MarketId>();
  let newest = 0;
  let venue: VenueName | null = null;
  for await (const line of textLines(path)) {
    if (venue === null) {
      venue = venueOf(headerOf(line));
      continue;
    }
    if (isCut(line)) break;
    const parsed = lineAt(line, readLine);
    if (parsed.at.getTime() < newest) throw new TapeUnreadable(line.number, 'is earlier than the line before it');
    newest = parsed.at.getTime();
    if (isUnknown(parsed, markets))
      throw new TapeUnreadable(line.number, 'names a market that was not described before');
    yield located(parsed, venue);
  }
  if (venue === null) throw new TapeUnreadable(1, 'the file is empty');
}

/** The venue in the first line of a tape, if that is a valid venue name. */
export function venueOf({ venue }: TapeHeader): VenueName {
  return VENUE_NAME.test(venue) ? (venue as VenueName) : NO_VENUE;
}

/** Lines do not repeat the venue of their tape. */
function located(line: TapeLine, venue: VenueName): TapeLine {
  if (line.type === 'alive' || line.change.type !== 'market') return line;
  return { ...line, change: { type: 'market', market: { ...line.change.market, venue } } };
}

function isUnknown(parsed: TapeLine, markets: Set<MarketId>): boolean {
  if (parsed.type === 'alive') return false;
  if (parsed.change.type === 'market') markets.add(parsed.marketId);
  return !markets.has(parsed.marketId);
}

/** What the first line says. @throws TapeUnreadable */
export function headerOf(line: TextLine): TapeHeader {
  if (isCut(line)) throw new TapeUnreadable(line.number, 'the file ends within its first line');
  return lineAt(line, readHeader);
}

/** A line without its end may still be whole; no part of a JSON object is JSON. */
export function isCut({ whole, text }: TextLine): boolean {
  if (whole) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

/** What a line says. @throws TapeUnreadable with its number */
export function lineAt<Value>({ text, number }: TextLine, read: (text: string) => Value): Value {
  try {
    return read(text);
  } catch (error) {
    throw new TapeUnreadable(number, error instanceof Error ? error.message : String(error));
  }
}
