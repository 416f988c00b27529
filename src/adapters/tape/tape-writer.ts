import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';
import { headerText, lineText, type TapeHeader, type TapeLine } from './tape-line.js';

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
