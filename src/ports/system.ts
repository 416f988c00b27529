/** The moment now. The core never asks the machine. */
export interface Clock {
  now(): Date;
}

/** A clock that can be waited for: the machine's, or the one of a tape that is played. */
export interface Timeline extends Clock {
  /** Runs `task` once, at this moment or as soon after as can be; the answer calls it off. A tape waits for the promise. */
  at(moment: Date, task: () => void | Promise<void>): () => void;
}

/** Milliseconds since some moment; it never jumps, whatever is done to the machine's clock. */
export type Stopwatch = () => number;

/** Makes UUIDv7 identifiers, each greater than the one before. */
export interface Ids {
  next(): string;
}

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export type Digest = (text: string) => string;
