import { formatMicro, type Price } from '../money.js';
import type { Probability, Signal } from './signal.js';
import { isWhole, SUM_BOUNDS } from './signal-check.js';

/** Why a signal cannot be used for a decision: the code, and the values that decided. */
export interface Unusable {
  readonly code: 'signal_expired' | 'implausible_signal' | 'input_missing:probability' | 'input_missing:mid';
  readonly detail: string;
}

/** What a probability is asked of. */
export interface SignalUse {
  /** Undefined where the model says nothing of the market. */
  readonly signal: Pick<Signal, 'first' | 'second' | 'expiresAt'> | undefined;
  /** The outcome, as the market spells it. */
  readonly label: string;
  /** Halfway between the best bid and the best ask for that outcome; null where a side is empty. */
  readonly mid: Price | null;
  readonly now: Date;
}

/** A probability so far from the market's is out of date, or of the other outcome, more often than it is right. */
const IMPLAUSIBLE_FROM = 250_000n;

/** The probability to decide with, or why there is none. Anything that is not known is a reason, never an assumption. */
export function usableProbability({
  signal,
  label,
  mid,
  now,
}: SignalUse): { readonly probability: Probability } | Unusable {
  if (signal === undefined)
    return { code: 'input_missing:probability', detail: 'the model says nothing of this market' };
  if (signal.expiresAt <= now) return { code: 'signal_expired', detail: `expired=${signal.expiresAt.toISOString()}` };
  const said = [signal.first, signal.second].find((one) => one.label === label);
  if (said === undefined)
    return { code: 'input_missing:probability', detail: 'the model says nothing of this outcome' };
  if (mid === null) return { code: 'input_missing:mid', detail: 'a side of the book is empty' };
  const { probability } = said;
  const apart = probability > mid ? probability - mid : mid - probability;
  if (apart < IMPLAUSIBLE_FROM) return { probability };
  const values = `probability=${formatMicro(probability)}, mid=${formatMicro(mid)}`;
  return { code: 'implausible_signal', detail: `${values}, bound=${formatMicro(IMPLAUSIBLE_FROM)}` };
}

/**
 * Why the signals of an exclusive set cannot be used, or null: its first outcomes have to add up to about 1, as exactly one
 * of them comes true. `signals` has a member for each market of the set; where one is missing or has expired, the others
 * only must not add up to more.
 */
export function unusableSet(signals: readonly (Signal | undefined)[], now: Date): Unusable | null {
  const current = signals.flatMap((signal) => (signal !== undefined && signal.expiresAt > now ? [signal] : []));
  const sum = current.reduce((total, { first }) => total + first.probability, 0n);
  const isSound = current.length === signals.length ? isWhole(sum) : sum <= SUM_BOUNDS[1];
  if (isSound) return null;
  const [least, most] = SUM_BOUNDS.map(formatMicro);
  return { code: 'implausible_signal', detail: `sum=${formatMicro(sum)}, bounds=${least} to ${most}` };
}
