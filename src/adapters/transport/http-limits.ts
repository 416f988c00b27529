import { LONGEST_WAIT_MS } from './retry-after.js';

/** How long a call may take and how large its answer may be. */
export interface HttpLimits {
  /** Until the connection and its encryption are established. */
  readonly connectMs: number;
  readonly headersMs: number;
  /** The longest silence within a body. */
  readonly bodyMs: number;
  /** For the whole call, with its wait for a turn; for a read, also with its repetitions. */
  readonly overallMs: number;
  /** Before the second and the third attempt of a read; each is up to half as long again. */
  readonly pausesMs: readonly number[];
  readonly maxBytes: number;
  /** How many calls of one lane may be in progress. */
  readonly connections: number;
  /** The longest wait that an answer may impose, whatever it requests. */
  readonly longestWaitMs: number;
}

/** The defaults. */
export const HTTP_LIMITS: HttpLimits = {
  connectMs: 3000,
  headersMs: 8000,
  bodyMs: 4000,
  overallMs: 10_000,
  pausesMs: [200, 800],
  maxBytes: 1024 * 1024,
  connections: 8,
  longestWaitMs: LONGEST_WAIT_MS,
};
