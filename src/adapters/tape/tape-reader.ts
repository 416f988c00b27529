import type { MarketId, VenueName } from '../../core/ids.js';
import { NO_VENUE, VENUE_NAME } from '../../core/market/venue.js';
import { readHeader, readLine, type TapeHeader, type TapeLine } from './tape-line.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { type TextLine, textLines } from './text-lines.js';

/** The first line of a tape. @throws TapeUnreadable when the file does not begin as a tape */
export async function readTapeHeader(path: string): Promise<TapeHeader> {
  for await (const line of textLines(path)) return headerOf(line);
  throw new TapeUnreadable(1, 'the file is empty');
}

/**
 * All lines of a tape but the first, one at a time. A last line that was cut, and a compressed file that was, are the end.
 * @throws TapeUnreadable for anything that the format does not know, with its line
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
    const told = at(line, readLine);
    if (told.at.getTime() < newest) throw new TapeUnreadable(line.number, 'is earlier than the line before it');
    newest = told.at.getTime();
    if (isUnknown(told, markets))
      throw new TapeUnreadable(line.number, 'tells of a market that was not described before');
    yield located(told, venue);
  }
  if (venue === null) throw new TapeUnreadable(1, 'the file is empty');
}

/** The venue that a tape names in its first line, where that is the name of one. */
export function venueOf({ venue }: TapeHeader): VenueName {
  return VENUE_NAME.test(venue) ? (venue as VenueName) : NO_VENUE;
}

/** Lines do not repeat the venue of their tape. */
function located(line: TapeLine, venue: VenueName): TapeLine {
  if (line.type === 'alive' || line.change.type !== 'market') return line;
  return { ...line, change: { type: 'market', market: { ...line.change.market, venue } } };
}

function isUnknown(told: TapeLine, markets: Set<MarketId>): boolean {
  if (told.type === 'alive') return false;
  if (told.change.type === 'market') markets.add(told.marketId);
  return !markets.has(told.marketId);
}

function headerOf(line: TextLine): TapeHeader {
  if (isCut(line)) throw new TapeUnreadable(line.number, 'the file ends within its first line');
  return at(line, readHeader);
}

/** A line without its end may be whole all the same; no part of a JSON object is JSON. */
function isCut({ whole, text }: TextLine): boolean {
  if (whole) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function at<Told>({ text, number }: TextLine, read: (text: string) => Told): Told {
  try {
    return read(text);
  } catch (error) {
    throw new TapeUnreadable(number, error instanceof Error ? error.message : String(error));
  }
}
