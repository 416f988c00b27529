/** The least time between two messages to one person. */
const APART_MS = 3000;
/** A bundle waits at most so many times as long as it waits for more. */
const GATHER_AT_MOST = 3;

/** When something of a bundle came, in milliseconds of one clock. */
export interface Arrivals {
  readonly first: number;
  readonly last: number;
}

/** What holds messages back, in milliseconds of the same clock. */
export interface Pacing {
  /** When the last one was sent; null before the first. */
  readonly sentAt: number | null;
  /** No message before that: the messenger asked to wait, or did not answer. */
  readonly notBefore: number;
  readonly gatherMs: number;
}

/** When a bundle is due. What is urgent does not wait for more. */
export function dueAt(arrivals: Arrivals, isUrgent: boolean, { sentAt, notBefore, gatherMs }: Pacing): number {
  const { first, last } = arrivals;
  const gathered = isUrgent ? first : Math.min(last + gatherMs, first + GATHER_AT_MOST * gatherMs);
  return Math.max(gathered, notBefore, sentAt === null ? 0 : sentAt + APART_MS);
}
