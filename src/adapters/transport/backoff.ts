import { setTimeout as delay } from 'node:timers/promises';
import { ExponentialBackoff } from 'cockatiel';

/** The growth of the pauses, in milliseconds. */
export interface BackoffLimits {
  readonly initialDelay: number;
  readonly maxDelay: number;
}

/** `afresh` resets the pauses to small ones. */
export type Ending = 'done' | 'again' | 'afresh';

/**
 * Repeats `attempt`, which must not throw, until it is done, with growing and jittered pauses in between. The signal ends a
 * pause at once, and leaves no timer.
 */
export async function repeatUntilDone(
  pace: BackoffLimits,
  signal: AbortSignal,
  attempt: () => Promise<Ending>,
): Promise<void> {
  // cockatiel's own retry would sit out its pause after the signal; only the length of the pause comes from it.
  const backoff = new ExponentialBackoff(pace);
  let step = backoff.next();
  while (!signal.aborted) {
    const ending = await attempt();
    if (ending === 'done') return;
    if (ending === 'afresh') step = backoff.next();
    await pause(step.duration, signal);
    step = step.next(undefined);
  }
}

/** Resolves after this many milliseconds; at once, with false, when the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return delay(ms, true, { signal }).catch(() => false);
}
