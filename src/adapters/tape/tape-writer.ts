import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { open, rename, truncate } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip, type Gzip } from 'node:zlib';
import type { MarketId } from '../../core/ids.js';
import { flushPacker, type Packing, packer, packingOf, sizeOf } from './packing.js';
import { indexTape } from './tape-index.js';
import { type FirstLine, headerText, lineText, RECORDED, type TapeLine } from './tape-line.js';
import { TapeUnreadable } from './tape-unreadable.js';
import { textLines } from './text-lines.js';

/** Appends lines to a file, each with its end in one write; compressed, as one more part of the file. */
export class TapeWriter {
  /** Resolves when the file is closed. Rejects when it cannot be written. */
  readonly closed: Promise<void>;
  readonly #file: WriteStream;
  readonly #packer: Gzip | null;
  #newest: number;
  /** One for all callers that wait. */
  #room: Promise<unknown> | undefined;

  /** No line gets a moment before `newest`. With `wx` the file must be a new one. @throws TapeUnreadable where Node cannot compress so */
  constructor(
    path: string,
    private readonly packing: Packing,
    newest: Date,
    flags: 'a' | 'w' | 'wx' = 'a',
  ) {
    this.#newest = newest.getTime();
    this.#packer = packer(packing);
    this.#file = createWriteStream(path, { flags });
    this.closed = this.#packer === null ? finished(this.#file) : pipeline(this.#packer, this.#file);
    this.closed.catch(() => {});
  }

  /** Bytes given to the operating system. */
  get bytes(): number {
    return this.#file.bytesWritten;
  }

  /** Lines that were given to this writer, without the first. */
  lines = 0;

  /** The moment of the last line. */
  get newest(): Date {
    return new Date(this.#newest);
  }

  /** Bytes that were given to this writer, and that wait for the disk. */
  get waiting(): number {
    return (this.#packer?.writableLength ?? 0) + this.#file.writableLength;
  }

  /** The first line of a new tape. */
  header(header: FirstLine): Promise<void> {
    return this.#write(headerText(header));
  }

  /** Resolves when the next line may come. A line whose moment is before the last one gets that one. */
  write(line: TapeLine): Promise<void> {
    this.lines += 1;
    this.#newest = Math.max(this.#newest, line.at.getTime());
    return this.#write(lineText({ ...line, at: new Date(this.#newest) }));
  }

  /** The same for lines that are there already, in one write: what is compressed costs a call each. */
  writeAll(lines: readonly TapeLine[]): Promise<void> {
    const texts = lines.map((line) => {
      this.#newest = Math.max(this.#newest, line.at.getTime());
      return lineText(line.at.getTime() === this.#newest ? line : { ...line, at: new Date(this.#newest) });
    });
    return texts.length === 0 ? Promise.resolve() : this.#write(texts.join('\n'));
  }

  /** Gives everything written to the operating system, so that it outlives this process. */
  flush(): void {
    if (this.#packer !== null) flushPacker(this.packing, this.#packer);
  }

  /** Resolves when everything is in the file. @throws when it cannot be written */
  close(): Promise<void> {
    this.#sink.end();
    return this.closed;
  }

  get #sink(): Writable {
    return this.#packer ?? this.#file;
  }

  async #write(text: string): Promise<void> {
    const sink = this.#sink;
    if (sink.writableEnded || sink.destroyed) return;
    if (!sink.write(`${text}\n`)) await this.#drained();
  }

  /** `closed` reports a failure; a caller waiting here must only not wait for ever. */
  #drained(): Promise<unknown> {
    this.#room ??= Promise.race([once(this.#sink, 'drain'), this.closed])
      .catch(() => {})
      .finally(() => {
        this.#room = undefined;
      });
    return this.#room;
  }
}

/** The state of a tape that is to be continued. */
export interface TapeEnd {
  /** The moment of its last line. */
  readonly at: Date;
  /** Every market on it. */
  readonly markets: readonly MarketId[];
  readonly packing: Packing;
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
  const { ended, markets, header } = await indexTape(path);
  const { vendor, evidence } = header.source;
  if (vendor !== RECORDED.vendor || evidence !== RECORDED.evidence)
    throw new TapeUnreadable(1, `says ${evidence} of ${vendor}, and what is recorded is not: record to another file`);
  const packing = await packingOf(path);
  if (packing === 'zstd')
    throw new TapeUnreadable(
      null,
      'is compressed with zstd, and recordings are so with gzip or not: record to another file',
    );
  await (packing === 'gzip' ? packAnew(path) : cutAfterLastLine(path));
  return { at: ended, markets: markets.map(({ id }) => id), packing };
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

/** Undefined for a file that is not there. @throws any other error */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
