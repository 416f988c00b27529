import type { ExitCode } from './exit-codes.js';

/** A user error or an outside failure: the message is for a person at the command line, and holds no secret. */
export class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exit: ExitCode,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'CommandFailed';
  }
}
