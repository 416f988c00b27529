/**
 * The exit codes, for supervisors and scripts. From 64 on they are those of BSD's `sysexits.h`.
 * The tables for people are in docs/operating.md and in stakeport --help.
 */
export const EXIT = {
  ok: 0,
  /** The answer is no: the books do not hold, something is missing, an order or an account is unknown. */
  no: 1,
  /** The audit could not finish. */
  unfinished: 2,
  /** The command line is wrong. */
  usage: 64,
  /** The database or the venue does not answer: retrying later may help. */
  unavailable: 69,
  /** The port, the database file or the lease belongs to another process. */
  taken: 75,
  /** The configuration is wrong, or the database is not stakeport's, too new or gone: restarting will not help. */
  config: 78,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
