const MOST_CHARACTERS = 300;

/** Told which part of a file was read, in bytes. */
export type OnRead = (read: number, size: number) => void;

/**
 * A file is not a tape that can be played: the message says what is wrong with it, and `line` where, counted from 1, or null
 * when it concerns no single line. Text quoted from the file is short and moves no cursor.
 */
export class TapeUnreadable extends Error {
  /** The file, where it is one of several; null where the reader knows which it is. */
  path: string | null = null;

  constructor(
    readonly line: number | null,
    reason: string,
  ) {
    super(`${line === null ? 'the tape' : `line ${line} of the tape:`} ${harmless(reason)}`);
    this.name = 'TapeUnreadable';
  }
}

/** Text quoted from a file, which is short and moves no cursor. */
export function harmless(text: string): string {
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return shown.replace(/[\p{Cc}\p{Cs}]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
