import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { pipeline, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { type OnRead, TapeUnreadable } from './tape-unreadable.js';

/** How the bytes of a file are compressed. */
export type Packing = 'none' | 'gzip' | 'zstd';

/** By its name, how a new file is compressed. */
export function packingNamed(path: string): Packing {
  if (path.endsWith('.gz')) return 'gzip';
  return path.endsWith('.zst') ? 'zstd' : 'none';
}

/**
 * By how the file begins, and by its name where it has not begun. Opens only regular files: a pipe would be waited for without an end.
 * @throws TapeUnreadable for anything else; an error of the file system
 */
export async function packingOf(path: string): Promise<Packing> {
  await sizeOf(path);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    if (bytesRead >= 2 && buffer.readUInt16BE() === 0x1f8b) return 'gzip';
    if (bytesRead === BEGINNING && isFrame(buffer)) return 'zstd';
    return bytesRead < 2 ? packingNamed(path) : 'none';
  } finally {
    await file.close();
  }
}

/** Bytes of a file. @throws TapeUnreadable for a folder, a pipe or a device; an error of the file system */
export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new TapeUnreadable(null, `is not a regular file: ${JSON.stringify(path)}`);
  return found.size;
}

/** A compressed file that is damaged elsewhere than at its end. */
export class PackingDamaged extends Error {
  constructor(where = 'here') {
    super(`the compressed file is damaged ${where} or further on`);
    this.name = 'PackingDamaged';
  }
}

/**
 * The bytes of a file, unpacked, in parts. A truncated compressed file ends where it can no longer be read.
 * @throws PackingDamaged, NodeTooOld
 */
export async function* unpackedBytes(path: string, onRead: OnRead = () => {}): AsyncGenerator<Buffer> {
  const packing = await packingOf(path);
  const size = await sizeOf(path);
  const packed = packedBytes(path, size, onRead);
  if (packing === 'none') return yield* packed;
  if (packing === 'zstd') {
    try {
      return yield* framesOf(packed);
    } finally {
      await packed.return(undefined);
    }
  }
  // The last flush is declared partial, so that a truncated file is not an error.
  const gunzip = zlib.createGunzip({ finishFlush: zlib.constants.Z_SYNC_FLUSH });
  yield* through(gunzip, packed);
}

async function* packedBytes(path: string, size: number, onRead: OnRead): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    read += chunk.length;
    onRead(Math.min(read, size), size);
    yield chunk;
  }
}

async function* through(unpacker: Transform, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  pipeline(packed, unpacker, () => {});
  try {
    yield* unpacker as AsyncIterable<Buffer>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') || code?.startsWith('ZSTD_') ? new PackingDamaged() : error;
  }
}

/** What this version of Node has of zstd; its types are those of an older one. */
interface Zstd {
  createZstdCompress?: () => zlib.Gzip;
  createZstdDecompress?: (options: zlib.ZlibOptions & { writableHighWaterMark: number }) => zlib.Gunzip;
}
const ZSTD = zlib as Zstd;
/** Its names are in `zlib.constants` only where Node has it. */
const ZSTD_FLUSH = 1;
/** How a frame begins, and one of which nothing is unpacked, as numbers whose lowest byte comes first. */
const FRAMES = [0xfd2fb528, ...Array.from({ length: 16 }, (_, n) => 0x184d2a50 + n)];

/** Whether a frame may begin so; fewer than four bytes are the beginning of one. */
function isFrame(bytes: Buffer): boolean {
  const begins = bytes.toString('hex', 0, BEGINNING);
  return FRAMES.some((frame) => Buffer.from(Uint32Array.of(frame).buffer).toString('hex').startsWith(begins));
}

const BEGINNING = 4;

/** A compressed file that this version of Node cannot read or write: the message says what to do. */
export class NodeTooOld extends TapeUnreadable {
  constructor(what: string) {
    super(null, `${what}: ${zstdMissing()}`);
  }
}

/** What to do where this version of Node knows no zstd; null where it does. */
export const zstdMissing = (): string | null =>
  ZSTD.createZstdDecompress === undefined
    ? 'zstd needs Node 22.15 or later: use that, or gzip in its place (zstd -dc TAPE.jsonl.zst | gzip > TAPE.jsonl.gz)'
    : null;

/** A stream that compresses; null for none. @throws NodeTooOld */
export function packer(packing: Packing): zlib.Gzip | null {
  if (packing === 'none') return null;
  if (packing === 'gzip') return zlib.createGzip();
  if (ZSTD.createZstdCompress === undefined) throw new NodeTooOld('cannot be written');
  return ZSTD.createZstdCompress();
}

/** Has a packer give all it has taken. */
export function flushPacker(packing: Packing, stream: zlib.Gzip): void {
  stream.flush(packing === 'zstd' ? ZSTD_FLUSH : zlib.constants.Z_SYNC_FLUSH);
}

/**
 * The frames of a zstd file one after another: Node unpacks the first one, and says nothing of the rest.
 * @throws PackingDamaged with the byte at which something is no frame
 */
async function* framesOf(packed: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const { createZstdDecompress } = ZSTD;
  if (createZstdDecompress === undefined) throw new NodeTooOld('cannot be read');
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    rest = await atLeast(BEGINNING, rest, packed);
    if (rest.length === 0) return;
    const damaged = () => new PackingDamaged(`at byte ${at}`);
    if (!isFrame(rest)) throw damaged();
    const frame = createZstdDecompress({ finishFlush: ZSTD_FLUSH, writableHighWaterMark: 1 });
    const feed = new FrameFeed(rest, packed, frame);
    try {
      yield* through(frame, feed.chunks());
    } catch (error) {
      throw error instanceof PackingDamaged ? damaged() : error;
    }
    if (frame.bytesWritten === 0) return;
    at += frame.bytesWritten;
    rest = feed.rest;
  }
}

/** The bytes with those that follow, until there are so many, or no more. */
async function atLeast(many: number, bytes: Buffer, packed: AsyncGenerator<Buffer>): Promise<Buffer> {
  let all = bytes;
  while (all.length < many) {
    const { value, done } = await packed.next();
    if (done === true) return all;
    all = Buffer.concat([all, value]);
  }
  return all;
}

/** Gives the stream of a frame what it has not taken yet, until the frame is over. */
class FrameFeed {
  #given = 0;

  constructor(
    private last: Buffer,
    private readonly packed: AsyncGenerator<Buffer>,
    private readonly frame: zlib.Gunzip,
  ) {}

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      this.#given += this.last.length;
      // The stream asks again once it has taken all of it, or its frame is over.
      yield this.last;
      if (this.frame.bytesWritten < this.#given) return;
      const { value, done } = await this.packed.next();
      if (done === true) {
        this.last = Buffer.alloc(0);
        return;
      }
      this.last = value;
    }
  }

  /** What is given and not part of the frame. */
  get rest(): Buffer {
    return this.last.subarray(this.last.length - (this.#given - this.frame.bytesWritten));
  }
}

/** Reads stretches of the unpacked bytes of a file, one after another. */
export interface Stretches {
  /** @throws TapeUnreadable where the file has not so many any more */
  read(at: number, bytes: number): Promise<string>;
  close(): Promise<void>;
}

/** Of a file that is not compressed only these stretches are read; another one is unpacked up to each of them. @throws TapeUnreadable */
export async function openStretches(path: string): Promise<Stretches> {
  if ((await packingOf(path)) !== 'none') return new UnpackedStretches(unpackedBytes(path));
  const file = await open(path);
  return {
    read: async (at, bytes) => {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, at);
      if (bytesRead < bytes) throw changed();
      return buffer.toString('utf8');
    },
    close: () => file.close(),
  };
}

const changed = () => new TapeUnreadable(null, 'has become shorter while it was read');

class UnpackedStretches implements Stretches {
  #at = 0;
  #rest: Buffer = Buffer.alloc(0);

  constructor(private readonly unpacked: AsyncGenerator<Buffer>) {}

  async read(at: number, bytes: number): Promise<string> {
    const found: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.unpacked.next().catch((error: unknown) => {
          throw error instanceof PackingDamaged ? new TapeUnreadable(null, error.message) : error;
        });
        if (done === true) throw changed();
        this.#rest = value;
      }
      this.#take(at - this.#at);
      const part = this.#take(left);
      left -= part.length;
      found.push(part);
    }
    return Buffer.concat(found).toString('utf8');
  }

  async close(): Promise<void> {
    await this.unpacked.return(undefined);
  }

  #take(most: number): Buffer {
    const part = this.#rest.subarray(0, Math.max(0, most));
    this.#rest = this.#rest.subarray(part.length);
    this.#at += part.length;
    return part;
  }
}
