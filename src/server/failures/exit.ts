/**
 * The exit codes, for supervisors and scripts. From 64 on they are those of BSD's `sysexits.h`.
 * The tables for people are in docs/operating.md and in stakeport --help.
 */
export const EXIT = {
  ok: 0,
  /** The answer is no: the books do not hold, something is missing, unknown, forbidden or refused. */
  no: 1,
  /** The result is not known: the audit could not finish, or the answer of a server was lost. */
  unfinished: 2,
  /** The command line is wrong, or nobody could be asked for a confirmation. */
  usage: 64,
  /** The database, the venue or the server does not answer: retrying later may help. */
  unavailable: 69,
  /** The port, the database file or the lease belongs to another process. */
  taken: 75,
  /** The configuration or a key is wrong, or the database is not stakeport's, too new or gone: restarting will not help. */
  config: 78,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

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
