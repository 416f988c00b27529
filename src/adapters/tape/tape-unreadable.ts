/** A file is not a tape that can be played: the message says what is wrong with it, `line` where, counted from 1. */
export class TapeUnreadable extends Error {
  constructor(
    readonly line: number,
    reason: string,
  ) {
    super(`line ${line} of the tape: ${reason}`);
    this.name = 'TapeUnreadable';
  }
}
