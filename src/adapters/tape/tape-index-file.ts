import { createHash } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { MarketId } from '../../core/ids.js';
import { Described, evidenceOf, type ScannedTape, scanTape } from './tape-index.js';
import { readHeader, readLine, type TapeHeader, type TapeLine } from './tape-line.js';
import { LineReader, type TapeBlock, venueOf } from './tape-reader.js';
import { Reached, type TapeProgress } from './tape-survey.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { MOST_CHARACTERS, type TextLine, textParts } from './text-lines.js';

/** The version of the format of indexes: those of another one are not used. */
const INDEX_VERSION = 1;
/**
 * The least bytes of a block. Five of 500 markets of a tape of a million lines, all at once, take a third of the time that a backtest
 * takes without an index, and half where it is compressed.
 */
const BLOCK_BYTES = 262_144;
/** Lines no further apart than this keep what is played as it was. */
const KEPT_MS = 10_000;
/** Bytes at each end of a tape by which another one is noticed. */
const END_BYTES = 65_536;

/** The file beside a tape that says where its markets are. */
export const indexPathOf = (tape: string): string => `${tape}.index`;

/** What an index holds, in its second line; the first one says what tape it is of. */
interface IndexContent {
  /** Of the unpacked text, in hexadecimal. */
  readonly sha256: string;
  readonly isSteady: boolean;
  readonly lines: number;
  /** In milliseconds; null without a line. */
  readonly span: readonly [began: number, ended: number] | null;
  /** The first line of the tape. */
  readonly header: string;
  /** The line that describes each market first. */
  readonly markets: readonly string[];
  /** As in `TapeBlock`, with the places of markets in the list. */
  readonly blocks: readonly (readonly [number, number, number, readonly number[], readonly number[], boolean])[];
}

interface FirstLine {
  readonly stakeport_tape_index: number;
  /** SHA-256 in hexadecimal of the second line. */
  readonly content: string;
  readonly tape: TapeState;
}

/** By what another state of a tape is noticed. */
interface TapeState {
  readonly bytes: number;
  readonly modified: number;
  /** SHA-256 in hexadecimal of its first and last bytes. */
  readonly ends: string;
}

/** What was indexed. */
export interface IndexedTape {
  readonly lines: number;
  readonly markets: number;
  readonly blocks: number;
}

/**
 * Reads all of a tape, and writes its index beside it: where the lines of each market are, so that a run reads only what it follows.
 * @throws TapeUnreadable, also for text that has no exact place
 */
export async function writeTapeIndex(
  path: string,
  onProgress: (reached: TapeProgress) => void = () => {},
  blockBytes = BLOCK_BYTES,
): Promise<IndexedTape> {
  const before = await stateOf(path);
  const indexing = new Indexing(blockBytes);
  const hash = createHash('sha256');
  const reached = new Reached(onProgress);
  const onText = (text: string) => void hash.update(text);
  for await (const lines of textParts(path, MOST_CHARACTERS, onText, reached.onRead))
    for (const line of lines) {
      const at = indexing.take(line);
      if (at !== null) reached.line({ at });
    }
  const content = JSON.stringify(indexing.end(hash.digest('hex')));
  const tape = await stateOf(path);
  if (JSON.stringify(tape) !== JSON.stringify(before))
    throw new TapeUnreadable(null, 'was written to while it was read: make its index once it is whole');
  const first: FirstLine = { stakeport_tape_index: INDEX_VERSION, content: sha256Of(content), tape };
  const fresh = `${indexPathOf(path)}.part`;
  await writeFile(fresh, `${JSON.stringify(first)}\n${content}\n`);
  await rename(fresh, indexPathOf(path));
  return { lines: indexing.lines, markets: indexing.markets, blocks: indexing.blocks.length };
}

class Indexing {
  lines = 0;
  readonly blocks: IndexContent['blocks'][number][] = [];
  readonly #reader = new LineReader();
  readonly #described = new Described();
  readonly #places = new Map<MarketId, number>();
  readonly #texts: string[] = [];
  #header = '';
  #span: [number, number] | null = null;
  #block = new OpenBlock(0, 1);

  constructor(private readonly blockBytes: number) {}

  get markets(): number {
    return this.#texts.length;
  }

  /** Null for what is no line of the tape. */
  take(line: TextLine): Date | null {
    // Its bytes are not those of the file where something else stood there.
    if (line.text.includes('\u{fffd}'))
      throw new TapeUnreadable(line.number, 'has text that is not UTF-8: such a tape has no index');
    if (line.number === 1) this.#header = line.text;
    const [parsed] = this.#reader.read([line]);
    if (parsed === undefined) {
      if (line.number === 1) this.#block.add(line, null, true);
      return null;
    }
    this.lines += 1;
    const now = parsed.at.getTime();
    this.#span = [this.#span?.[0] ?? now, now];
    if (this.#block.bytes >= this.blockBytes) this.#close();
    this.#block.add(line, now, this.#describes(parsed, line));
    if (parsed.type === 'change') this.#block.markets.add(this.#places.get(parsed.marketId) ?? 0);
    return parsed.at;
  }

  end(sha256: string): IndexContent {
    this.#reader.end();
    this.#close();
    const { isSteady } = this.#described;
    const of = { header: this.#header, markets: this.#texts, blocks: this.blocks };
    return { sha256, isSteady, lines: this.lines, span: this.#span, ...of };
  }

  #describes(parsed: TapeLine, { text }: TextLine): boolean {
    if (parsed.type !== 'change' || parsed.change.type !== 'market') return false;
    this.#described.take(parsed.change.market);
    if (this.#places.has(parsed.marketId)) return true;
    this.#places.set(parsed.marketId, this.#texts.length);
    this.#texts.push(text);
    return true;
  }

  #close(): void {
    const { at, bytes, line, lines } = this.#block;
    if (lines > 0) this.blocks.push(this.#block.closed());
    this.#block = new OpenBlock(at + bytes, line + lines);
  }
}

/** A block that is not full yet. */
class OpenBlock {
  bytes = 0;
  lines = 0;
  readonly markets = new Set<number>();
  #describes = false;
  readonly #moments: number[] = [];
  #last = 0;

  constructor(
    readonly at: number,
    readonly line: number,
  ) {}

  /** Without a moment it is the header. */
  add({ text, whole }: TextLine, now: number | null, describes: boolean): void {
    this.bytes += Buffer.byteLength(text) + (whole ? 1 : 0);
    this.lines += 1;
    this.#describes ||= describes;
    if (now === null) return;
    const kept = this.#moments.at(-1);
    if (kept === undefined) this.#moments.push(now);
    else if (now - kept > KEPT_MS) {
      // The line before it, so that a silence stays as long as it is.
      if (this.#last > kept) this.#moments.push(this.#last);
      if (now - this.#last > KEPT_MS) this.#moments.push(now);
    }
    this.#last = now;
  }

  closed(): IndexContent['blocks'][number] {
    if ((this.#moments.at(-1) ?? this.#last) < this.#last) this.#moments.push(this.#last);
    return [this.at, this.bytes, this.line, this.#moments, [...this.markets].sort((a, b) => a - b), this.#describes];
  }
}

/** A tape of which everything but its lines is known by its index; null where it has none, and `stale` where it is of another state of the tape. */
export async function indexedTape(path: string): Promise<ScannedTape | 'stale' | null> {
  const text = await readFile(indexPathOf(path), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const [first = '', content = ''] = text.split('\n');
  return (await isOf(first, content, path)) ? knownBy(JSON.parse(content), path) : 'stale';
}

/** A tape that is ready to be played: by its index where it has one, else by reading it. @throws TapeUnreadable */
export async function openScanned(path: string): Promise<ScannedTape> {
  const indexed = await indexedTape(path);
  return indexed === null || indexed === 'stale' ? scanTape(path) : indexed;
}

async function isOf(first: string, content: string, path: string): Promise<boolean> {
  const said = parsedOrNull(first) as FirstLine | null;
  if (said?.stakeport_tape_index !== INDEX_VERSION || said.content !== sha256Of(content)) return false;
  return JSON.stringify(said.tape) === JSON.stringify(await stateOf(path));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function knownBy({ sha256, isSteady, lines, span, ...content }: IndexContent, path: string): ScannedTape {
  const header: TapeHeader = readHeader(content.header);
  const venue = venueOf(header);
  const markets = content.markets.flatMap((text) => {
    const line = readLine(text);
    return line.type === 'change' && line.change.type === 'market' ? [{ ...line.change.market, venue }] : [];
  });
  const ids = markets.map(({ id }) => id);
  const [began, ended] = span === null ? [header.recordedAt, header.recordedAt] : span.map((ms) => new Date(ms));
  return {
    path,
    sha256,
    isSteady,
    index: {
      header,
      venue,
      began: began ?? header.recordedAt,
      ended: ended ?? header.recordedAt,
      lines,
      markets,
      evidence: evidenceOf(header, ids),
    },
    blocks: content.blocks.map(([at, bytes, line, moments, places, describes]): TapeBlock => {
      return { at, bytes, line, moments, markets: places.flatMap((place) => ids[place] ?? []), describes };
    }),
  };
}

async function stateOf(path: string): Promise<TapeState> {
  const { size, mtimeMs } = await stat(path);
  const file = await open(path);
  try {
    const hash = createHash('sha256');
    for (const at of [0, Math.max(0, size - END_BYTES)]) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, at);
      hash.update(buffer.subarray(0, bytesRead));
    }
    return { bytes: size, modified: mtimeMs, ends: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');
