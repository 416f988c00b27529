import type { ExitRules } from '../rules/rules.js';

const SECOND_MS = 1000;
/** The longest time between two attempts to sell. */
const LONGEST_MS = 60 * SECOND_MS;

/** How long after the last of so many attempts in a row that sold nothing the next one is made: 0, 1, 2, 4 … 60 seconds. */
export function waitAfter(tries: number): number {
  return tries === 0 ? 0 : Math.min(SECOND_MS * 2 ** Math.min(tries - 1, 6), LONGEST_MS);
}

/** The next moment after `now` at which time alone makes a condition of `exit` true; null where there is none. */
export function nextExitAt(
  { beforeStartMs, afterMs }: Pick<ExitRules, 'beforeStartMs' | 'afterMs'>,
  startsAt: Date | null,
  since: Date,
  now: Date,
): Date | null {
  const moments = [
    ...(beforeStartMs === undefined || startsAt === null ? [] : [startsAt.getTime() - beforeStartMs]),
    ...(afterMs === undefined ? [] : [since.getTime() + afterMs]),
  ].filter((moment) => moment > now.getTime());
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}
