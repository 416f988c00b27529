import { Readable } from 'node:stream';
import { PackingDamaged, unpackedBytes } from './packing.js';
import { type OnRead, TapeUnreadable } from './tape-unreadable.js';

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
  onRead?: OnRead,
): AsyncGenerator<readonly TextLine[]> {
  let rest = '';
  let number = 1;
  for await (const chunk of textOf(path, () => number, onRead)) {
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

async function* textOf(path: string, line: () => number, onRead?: OnRead): AsyncGenerator<string> {
  const bytes = Readable.from(unpackedBytes(path, onRead), { objectMode: false });
  try {
    for await (const chunk of bytes.setEncoding('utf8')) yield String(chunk);
  } catch (error) {
    throw error instanceof PackingDamaged ? new TapeUnreadable(line(), error.message) : error;
  }
}
