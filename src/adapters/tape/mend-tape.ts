import { createWriteStream } from 'node:fs';
import { open, rename, truncate } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { MarketId } from '../../core/ids.js';
import { indexTape } from './tape-index.js';
import { isCompressed, sizeOf, textLines } from './text-lines.js';

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
