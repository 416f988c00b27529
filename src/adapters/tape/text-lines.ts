import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import { TapeUnreadable } from './tape-unreadable.js';

/** The longest line that is read, in characters: far more than the largest book. */
export const MOST_CHARACTERS = 4_194_304;

/** A line of a file, without its end. */
export interface TextLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  /** False for text after the last line end. */
  readonly whole: boolean;
}

/**
 * The lines of a text file, which may be compressed; holds a part of it at a time. A truncated compressed file ends where it can
 * no longer be read. `onText` gets all of the text, in parts.
 * @throws TapeUnreadable when the file is not a regular one, a line is too long, or a compressed file is damaged elsewhere
 * than at its end
 */
export async function* textLines(
  path: string,
  longest = MOST_CHARACTERS,
  onText: (text: string) => void = () => {},
): AsyncGenerator<TextLine> {
  for await (const lines of textParts(path, longest, onText)) yield* lines;
}

/** The same lines, as many at a time as a part of the file has: a promise for each of them costs as much as reading it. */
export async function* textParts(
  path: string,
  longest = MOST_CHARACTERS,
  onText: (text: string) => void = () => {},
): AsyncGenerator<readonly TextLine[]> {
  let rest = '';
  let number = 1;
  for await (const chunk of textOf(path, await isCompressed(path), () => number)) {
    onText(chunk);
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    const lines: TextLine[] = [];
    for (const next of others) {
      if (rest.length > longest) break;
      lines.push({ text: rest, number, whole: true });
      number += 1;
      rest = next;
    }
    if (lines.length > 0) yield lines;
    if (rest.length > longest) throw new TapeUnreadable(number, `has more than ${longest} characters`);
  }
  if (rest !== '') yield [{ text: rest, number, whole: false }];
}

/** Bytes of a file. @throws TapeUnreadable for a folder, a pipe or a device; an error of the file system */
export async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (!found.isFile()) throw new TapeUnreadable(null, `is not a regular file: ${JSON.stringify(path)}`);
  return found.size;
}

/**
 * True when the name ends in `.gz` or the file begins as compressed files do. Opens only regular files: a pipe would be
 * waited for without an end.
 * @throws TapeUnreadable for anything else; an error of the file system
 */
export async function isCompressed(path: string): Promise<boolean> {
  await sizeOf(path);
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return (bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b) || (bytesRead < 2 && path.endsWith('.gz'));
  } finally {
    await file.close();
  }
}

async function* textOf(path: string, compressed: boolean, line: () => number): AsyncGenerator<string> {
  const file = createReadStream(path);
  try {
    for await (const chunk of (compressed ? unpacked(file) : file).setEncoding('utf8')) yield String(chunk);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw new TapeUnreadable(line(), 'the compressed file is damaged here or further on');
    throw error;
  }
}

/** The last flush is declared partial, so that a truncated file is not an error. */
function unpacked(file: Readable): Readable {
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  return pipeline(file, gunzip, () => {});
}
