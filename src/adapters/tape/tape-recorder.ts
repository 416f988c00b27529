import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, truncate } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import type { MarketId } from '../../core/ids.js';
import type { MarketEvent } from '../../core/market/event.js';
import type { Market } from '../../core/market/market.js';
import type { Following, MarketData } from '../../ports/market-data.js';
import type { Clock } from '../../ports/system.js';
import { indexTape } from './tape-index.js';
import { headerText, lineText, type TapeHeader, type TapeLine } from './tape-line.js';
import { isCompressed, sizeOf, textLines } from './text-lines.js';

const TICK_MS = 1000;
/** Twice as often as the format requires. */
const TICKS_TO_ALIVE = 5;

/** The progress of a recording. */
export interface RecordingProgress {
  /** Recorded changes of markets, including gaps. */
  readonly events: number;
  readonly gaps: number;
  /** Bytes added to the file. */
  readonly bytes: number;
  /** Since the beginning, by the clock. */
  readonly seconds: number;
}

/** What to record, and where. */
export interface Recording {
  readonly markets: readonly Market[];
  readonly source: MarketData;
  /** The clock of the source's times. */
  readonly clock: Clock;
  /** The name of the venue, for the first line; that of the source when absent. */
  readonly venue?: string;
  /** Compressed when it ends in `.gz`, or when it exists and is compressed. */
  readonly out: string;
  /** Called once a second, and at the end. */
  readonly progress: (now: RecordingProgress) => void;
  readonly signal: AbortSignal;
}

/**
 * Records these markets to a tape, until the signal aborts. An existing tape is continued, after a gap of all its markets.
 * If the process is killed, the tape can be played up to about a second before.
 * @throws TapeUnreadable when the file exists and is not a tape; what the source throws; when the file cannot be written
 *
 * @example
 * ```ts
 * import type { MarketData } from 'stakeport';
 * import { systemClock } from 'stakeport/memory';
 * import { recordTape } from 'stakeport/tape';
 *
 * declare const source: MarketData;
 * const { items: markets } = await source.search({ text: 'arsenal' }, { limit: 10 });
 * const recording = { markets, source, clock: systemClock, out: 'arsenal.jsonl.gz', progress: () => {} };
 * const { events } = await recordTape({ ...recording, signal: AbortSignal.timeout(60_000) });
 * ```
 */
export async function recordTape(recording: Recording): Promise<RecordingProgress> {
  const recorder = new Recorder(recording, await openWriter(recording));
  return recorder.run();
}

async function openWriter({ out, clock, source, venue = source.venue }: Recording): Promise<TapeWriter> {
  const before = await mendTape(out);
  if (before === undefined) {
    const writer = new TapeWriter(out, out.endsWith('.gz'), new Date(0));
    await writer.header({ recordedAt: clock.now(), venue });
    return writer;
  }
  const writer = new TapeWriter(out, before.compressed, before.at);
  const change = { type: 'gap', reason: 'the recorder was restarted' } as const;
  for (const marketId of before.markets) await writer.write({ at: clock.now(), type: 'change', marketId, change });
  return writer;
}

class Recorder {
  readonly #since: number;
  readonly #followings: Following[] = [];
  #done = false;
  #events = 0;
  #gaps = 0;
  #ticks = 0;

  constructor(
    private readonly recording: Recording,
    private readonly writer: TapeWriter,
  ) {
    this.#since = recording.clock.now().getTime();
  }

  async run(): Promise<RecordingProgress> {
    const { signal, progress } = this.recording;
    const aborted: Promise<unknown> = signal.aborted ? Promise.resolve() : once(signal, 'abort');
    const timer = setInterval(() => this.#tick(), TICK_MS);
    try {
      await Promise.race([this.#followAll().then(() => aborted), aborted, this.writer.closed]);
    } finally {
      clearInterval(timer);
      this.#done = true;
      for (const following of this.#followings) following.stop();
      await this.writer.close();
    }
    progress(this.#progress());
    return this.#progress();
  }

  async #followAll(): Promise<void> {
    const { markets, source, clock } = this.recording;
    for (const market of markets) {
      if (this.#isOver) return;
      await this.#take(market, { type: 'market', market, at: clock.now() });
      const following = await source.follow(market, (event) => this.#take(market, event));
      this.#followings.push(following);
      if (this.#isOver) following.stop();
    }
  }

  async #take({ id }: Market, { at, ...change }: MarketEvent): Promise<void> {
    if (this.#isOver) return;
    this.#events += 1;
    if (change.type === 'gap') this.#gaps += 1;
    await this.writer.write({ at, type: 'change', marketId: id, change });
  }

  get #isOver(): boolean {
    return this.#done || this.recording.signal.aborted;
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#ticks % TICKS_TO_ALIVE === 0) void this.writer.write({ at: this.recording.clock.now(), type: 'alive' });
    this.writer.flush();
    this.recording.progress(this.#progress());
  }

  #progress(): RecordingProgress {
    const seconds = Math.floor((this.recording.clock.now().getTime() - this.#since) / 1000);
    return { events: this.#events, gaps: this.#gaps, bytes: this.writer.bytes, seconds };
  }
}

/** Appends lines to a file, each with its end in one write; compressed, as one more part of the file. */
export class TapeWriter {
  /** Resolves when the file is closed. Rejects when it cannot be written. */
  readonly closed: Promise<void>;
  readonly #file: WriteStream;
  readonly #gzip: Gzip | undefined;
  #newest: number;

  /** No line gets a moment before `newest`. */
  constructor(path: string, compressed: boolean, newest: Date) {
    this.#newest = newest.getTime();
    this.#file = createWriteStream(path, { flags: 'a' });
    this.#gzip = compressed ? createGzip() : undefined;
    this.closed = this.#gzip === undefined ? finished(this.#file) : pipeline(this.#gzip, this.#file);
    this.closed.catch(() => {});
  }

  /** Bytes given to the operating system. */
  get bytes(): number {
    return this.#file.bytesWritten;
  }

  /** The first line of a new tape. */
  header(header: TapeHeader): Promise<void> {
    return this.#write(headerText(header));
  }

  /** Resolves when the next line may come. A line whose moment is before the last one gets that one. */
  write(line: TapeLine): Promise<void> {
    this.#newest = Math.max(this.#newest, line.at.getTime());
    return this.#write(lineText({ ...line, at: new Date(this.#newest) }));
  }

  /** Gives everything written to the operating system, so that it outlives this process. */
  flush(): void {
    this.#gzip?.flush(constants.Z_SYNC_FLUSH);
  }

  /** Resolves when everything is in the file. @throws when it cannot be written */
  close(): Promise<void> {
    this.#sink.end();
    return this.closed;
  }

  get #sink(): Writable {
    return this.#gzip ?? this.#file;
  }

  async #write(text: string): Promise<void> {
    const sink = this.#sink;
    if (sink.writableEnded || sink.destroyed) return;
    // `closed` reports a failure; a caller waiting here must only not wait for ever.
    if (!sink.write(`${text}\n`)) await Promise.race([once(sink, 'drain'), this.closed]).catch(() => {});
  }
}

/** The state of a tape that is to be continued. */
export interface TapeEnd {
  /** The moment of its last line. */
  readonly at: Date;
  /** Every market on it. */
  readonly markets: readonly MarketId[];
  readonly compressed: boolean;
}

/**
 * Makes a tape end with a whole line, so that more can be added. A compressed file is repacked beside the old one, which
 * stays until that is done. Undefined when there is no file, or no whole first line: such a file is emptied.
 * @throws TapeUnreadable when the file is not a tape; it is left as it is
 */
export async function mendTape(path: string): Promise<TapeEnd | undefined> {
  if (!(await hasWholeLine(path))) {
    await truncate(path).catch(ignoreMissing);
    return undefined;
  }
  const { ended, markets } = await indexTape(path);
  const compressed = await isCompressed(path);
  await (compressed ? packAnew(path) : cutAfterLastLine(path));
  return { at: ended, markets: markets.map(({ id }) => id), compressed };
}

async function hasWholeLine(path: string): Promise<boolean> {
  const size = await sizeOf(path).catch(ignoreMissing);
  if (size === undefined || size === 0) return false;
  for await (const { text, whole } of textLines(path)) {
    // A file that is something else must not be emptied.
    if (whole || !isBeginning(text)) return true;
  }
  return false;
}

function isBeginning(text: string): boolean {
  const known = '{"stakeport_tape":';
  return known.startsWith(text) || text.startsWith(known);
}

/** The end of a compressed file does not show where it was cut, and nothing can follow a part that was cut. */
async function packAnew(path: string): Promise<void> {
  const fresh = `${path}.mended`;
  await pipeline(wholeLines(path), createGzip(), createWriteStream(fresh, { flush: true }));
  await rename(fresh, path);
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  for await (const { text, whole } of textLines(path)) if (whole) yield `${text}\n`;
}

async function cutAfterLastLine(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(await lengthOfLines(file));
  } finally {
    await file.close();
  }
}

/** Looks for the last line end from the end, so that a long tape need not be read for it. */
async function lengthOfLines(file: Awaited<ReturnType<typeof open>>): Promise<number> {
  const block = Buffer.alloc(65_536);
  let { size } = await file.stat();
  while (size > 0) {
    const from = Math.max(0, size - block.length);
    const { bytesRead } = await file.read(block, 0, size - from, from);
    const end = block.subarray(0, bytesRead).lastIndexOf('\n');
    if (end >= 0) return from + end + 1;
    size = from;
  }
  return 0;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
