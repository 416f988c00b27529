/** The moment now. The core never asks the machine. */
export interface Clock {
  now(): Date;
}

/** A clock with timers: the machine's, or the clock of a tape that is played. */
export interface Timeline extends Clock {
  /**
   * Runs `task` once, at this moment or as soon after as possible; the returned function cancels it. A tape waits for the
   * promise.
   */
  at(moment: Date, task: () => void | Promise<void>): () => void;
}

/** Lets other work of the process have a turn, and resolves when it is the caller's again. */
export type Pause = () => Promise<void>;

/** Runs work that must not hold up its caller. Resolves at once, or, where the caller is to wait for it after all, once it is done. */
export type InBackground = (work: () => Promise<void>) => Promise<void>;

/** Milliseconds since some moment; it never jumps, even if the machine's clock is set. */
export type Stopwatch = () => number;

/** Makes UUIDv7 identifiers, each greater than the one before. */
export interface Ids {
  next(): string;
}

/** The day of a moment in some zone, such as 2026-11-22. */
export type DayOf = (at: Date) => string;

/** The day and the time of day of a moment in a zone, such as 2026-11-22 and 15:10. */
export type LocalTime = (at: Date, zone: string) => { readonly day: string; readonly time: string };

/** SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export type Digest = (text: string) => string;
