import type { MarketId, VenueName } from '../../core/ids.js';
import { NO_VENUE, VENUE_NAME } from '../../core/market/market.js';
import { readHeader, readLine, type TapeHeader, type TapeLine } from './tape-line.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { type TextLine, textLines, textParts } from './text-lines.js';

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
  for await (const lines of tapeParts(path)) yield* lines;
}

/**
 * The same lines, one after another of a part of the file at a time, each read when it is asked for, and all before the next part is.
 * Where markets are given, a line of another one may say only that the recorder was alive, unless it describes it. @throws TapeUnreadable
 */
export async function* tapeParts(
  path: string,
  markets: ReadonlySet<MarketId> | null = null,
): AsyncGenerator<Iterable<TapeLine>> {
  const reader = new LineReader(markets);
  for await (const lines of textParts(path)) yield reader.read(lines);
  reader.end();
}

/** Reads the lines of a tape one after another. */
class LineReader {
  readonly #markets = new Set<MarketId>();
  #newest = 0;
  #begun: { readonly venue: VenueName; readonly version: number } | null = null;

  /** @param wanted the markets of which lines are read; null for all */
  constructor(private readonly wanted: ReadonlySet<MarketId> | null) {}

  /** @throws TapeUnreadable */
  *read(lines: readonly TextLine[]): Generator<TapeLine> {
    for (const line of lines) {
      if (this.#begun === null) this.#begin(headerOf(line));
      else if (isCut(line)) return;
      else yield this.#line(line, this.#begun);
    }
  }

  /** @throws TapeUnreadable for a file that is empty */
  end(): void {
    if (this.#begun === null) throw new TapeUnreadable(1, 'the file is empty');
  }

  #begin(header: TapeHeader): void {
    this.#begun = { venue: venueOf(header), version: header.version };
  }

  #line(line: TextLine, { venue, version }: { readonly venue: VenueName; readonly version: number }): TapeLine {
    const parsed = this.#passedOver(line) ?? lineAt(line, readLine);
    if (parsed.at.getTime() < this.#newest) throw new TapeUnreadable(line.number, 'is earlier than the line before it');
    this.#newest = parsed.at.getTime();
    if (isUnknown(parsed, this.#markets))
      throw new TapeUnreadable(line.number, 'names a market that was not described before');
    if (version === 1 && parsed.type === 'change' && parsed.change.type === 'mid')
      throw new TapeUnreadable(line.number, 'has a mid, which tapes of version 1 cannot hold: begin it as version 2');
    return located(parsed, venue);
  }

  /** A line of a market that is not wanted, of which the moment alone is read; null for any other line. */
  #passedOver({ text }: TextLine): TapeLine | null {
    if (this.wanted === null) return null;
    const [, t = '', id = ''] = OF_MARKET.exec(text) ?? [];
    if (id === '' || this.wanted.has(id as MarketId) || !this.#markets.has(id as MarketId)) return null;
    return { at: new Date(JSON.parse(t)), type: 'alive' };
  }
}

/** How a line on a market begins where it is written as a recorder does, with a moment before the year 10000. */
const OF_MARKET = /^\{"t":([1-9]\d{0,13}),"m":"([^"\\]+)",/;

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
