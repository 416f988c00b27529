import type { MarketId, VenueName } from '../../core/ids.js';
import { NO_VENUE, VENUE_NAME } from '../../core/market/market.js';
import { openStretches } from './packing.js';
import { readHeader, readLine, type TapeHeader, type TapeLine } from './tape-line.js';
import { type OnRead, TapeUnreadable } from './tape-unreadable.js';
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

/** A stretch of the lines of a tape, and what is known of them without reading them. */
export interface TapeBlock {
  /** Where it begins in the unpacked text, and how long it is, in bytes. */
  readonly at: number;
  readonly bytes: number;
  /** The number of its first line. */
  readonly line: number;
  /** Of its first line, its last one, and those between them by which its silences are known, in milliseconds. */
  readonly moments: readonly number[];
  /** The markets that its lines are about. */
  readonly markets: readonly MarketId[];
  /** Whether it has the header, or describes a market: then it is always read. */
  readonly describes: boolean;
}

/** How a tape is read. */
export interface TapeReading {
  /** A line of another market may say only that the recorder was alive, unless it describes it. By default all are read. */
  readonly markets?: ReadonlySet<MarketId> | null | undefined;
  /** All blocks of the tape, where they are known: those without a line of these markets are not read. */
  readonly blocks?: readonly TapeBlock[] | null | undefined;
  readonly onRead?: OnRead | undefined;
}

/**
 * The same lines, one after another of a part of the file at a time, each read when it is asked for, and all before the next part is.
 * @throws TapeUnreadable
 */
export async function* tapeParts(path: string, reading: TapeReading = {}): AsyncGenerator<Iterable<TapeLine>> {
  const { markets = null, blocks = null, onRead } = reading;
  const reader = new LineReader(markets);
  if (markets !== null && blocks !== null) return yield* blockParts(path, blocks, markets, reader, onRead);
  for await (const lines of textParts(path, undefined, undefined, onRead)) yield reader.read(lines);
  reader.end();
}

async function* blockParts(
  path: string,
  blocks: readonly TapeBlock[],
  wanted: ReadonlySet<MarketId>,
  reader: LineReader,
  onRead: OnRead = () => {},
): AsyncGenerator<Iterable<TapeLine>> {
  const stretches = await openStretches(path);
  try {
    for (const [at, block] of blocks.entries()) {
      onRead(at, blocks.length);
      const isRead = block.describes || block.markets.some((id) => wanted.has(id));
      const text = isRead ? await stretches.read(block.at, block.bytes) : '';
      yield withMoments(reader.read(linesAbout(text, block.line, wanted)), block.moments);
    }
  } finally {
    await stretches.close();
  }
}

/** Reads the lines of a tape one after another. */
export class LineReader {
  readonly #markets = new Set<MarketId>();
  #newest = 0;
  #begun: { readonly venue: VenueName; readonly version: number } | null = null;

  /** @param wanted the markets of which lines are read; null for all */
  constructor(private readonly wanted: ReadonlySet<MarketId> | null = null) {}

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
    const id = this.wanted === null ? null : marketAt(text, 0);
    if (id === null || this.wanted?.has(id) === true || !this.#markets.has(id)) return null;
    const ms = Number(text.slice(BEGINS.length, AFTER_MOMENT));
    // What else a number may look like is read as any line is.
    return ms >= LEAST_MOMENT && text.charAt(BEGINS.length) !== '0' ? aliveAt(ms) : null;
  }
}

const aliveAt = (ms: number): TapeLine => ({ at: new Date(ms), type: 'alive' });

/** How a line on a market begins where it is written as a recorder does, with a moment of 13 digits, as from 2001 to 2286. */
const BEGINS = '{"t":';
const LEAST_MOMENT = 1_000_000_000_000;
const AFTER_MOMENT = BEGINS.length + 13;
const OF_MARKET = ',"m":"';

/** The market of the line that begins there; null for any other line, and one that is written otherwise. */
function marketAt(text: string, begins: number): MarketId | null {
  if (!text.startsWith(OF_MARKET, begins + AFTER_MOMENT) || !text.startsWith(BEGINS, begins)) return null;
  const from = begins + AFTER_MOMENT + OF_MARKET.length;
  return text.slice(from, text.indexOf('",', from)) as MarketId;
}

/** The lines of a text but those on other markets; the first line has this number. */
function linesAbout(text: string, first: number, wanted: ReadonlySet<MarketId>): readonly TextLine[] {
  const lines: TextLine[] = [];
  let number = first;
  for (let from = 0; from < text.length; number += 1) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    const id = marketAt(text, from);
    if (id === null || wanted.has(id)) lines.push({ text: text.slice(from, end), number, whole: true });
    from = end + 1;
  }
  return lines;
}

/** The lines, with moments between them at which the recorder was alive. */
function* withMoments(lines: Iterable<TapeLine>, moments: readonly number[]): Generator<TapeLine> {
  let next = 0;
  const before = (end: number) => (moments[next] ?? end) < end;
  for (const line of lines) {
    for (; before(line.at.getTime()); next += 1) yield aliveAt(moments[next] ?? 0);
    yield line;
  }
  for (const ms of moments.slice(next)) yield aliveAt(ms);
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
