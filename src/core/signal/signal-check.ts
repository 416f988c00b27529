import { formatMicro, ONE, type Price } from '../money.js';
import {
  isProbability,
  LONGEST_SIGNAL_MS,
  type OutcomeProbability,
  type Probability,
  type Signal,
  type SignalDraft,
} from './signal.js';

/** The labels of a market's two outcomes, in their order. */
export type Labels = readonly [first: string, second: string];

/** What is wrong with a signal. */
export interface SignalFault {
  readonly member: keyof SignalDraft;
  /** The outcome in `probabilities` that is meant; null for the whole member. */
  readonly label: string | null;
  /** They follow the member: `must be …`. */
  readonly words: string;
}

/** The probabilities of both outcomes. */
export type Completed = Pick<Signal, 'first' | 'second'>;

/** The bounds of what the probabilities of outcomes of which one comes true add up to, both included. */
export const SUM_BOUNDS = [980_000n, 1_020_000n] as const;

/** True when probabilities of all of several outcomes, of which one comes true, add up to about 1. */
export const isWhole = (sum: bigint): boolean => sum >= SUM_BOUNDS[0] && sum <= SUM_BOUNDS[1];

const fault = (member: keyof SignalDraft, words: string, label: string | null = null): SignalFault => ({
  member,
  label,
  words,
});

/** What is wrong with when a signal expires; `now` is the time of the markets. */
export function expiryFaults(expiresAt: Date, now: Date): readonly SignalFault[] {
  const aheadMs = expiresAt.getTime() - now.getTime();
  if (aheadMs > 0 && aheadMs <= LONGEST_SIGNAL_MS) return [];
  const bound = aheadMs > 0 ? 'at most 30 days after' : 'later than';
  return [fault('expiresAt', `must be ${bound} the time of the markets, which is ${now.toISOString()}`)];
}

/** Both probabilities, or what is wrong with them. A missing one of two is the complement of the other. */
export function completed(
  given: ReadonlyMap<string, Probability>,
  labels: Labels,
): Completed | { readonly faults: readonly SignalFault[] } {
  const found = new Map<number, Probability>();
  const faults: SignalFault[] = [];
  for (const [label, probability] of given) {
    const place = placeOf(label, labels);
    if (place === null) faults.push(fault('probabilities', `is no outcome of this market: ${named(labels)}`, label));
    else if (found.has(place)) faults.push(fault('probabilities', `names ${labels[place]} a second time`, label));
    else if (!isProbability(probability)) faults.push(fault('probabilities', 'must be above 0 and below 1', label));
    else found.set(place, probability);
  }
  if (faults.length > 0) return { faults };
  const [first, second] = [found.get(0), found.get(1)];
  if (first !== undefined && second !== undefined) return both(first, second, labels);
  if (first !== undefined) return pair(first, complementOf(first), labels);
  if (second !== undefined) return pair(complementOf(second), second, labels);
  return { faults: [fault('probabilities', `must name an outcome of this market: ${named(labels)}`)] };
}

const complementOf = (probability: Probability): Probability => (ONE - probability) as Probability;

function both(first: Probability, second: Probability, labels: Labels) {
  const sum = first + second;
  if (isWhole(sum)) return pair(first, second, labels);
  const [least, most] = SUM_BOUNDS.map(formatMicro);
  return { faults: [fault('probabilities', `must add up to ${least} to ${most}; they add up to ${formatMicro(sum)}`)] };
}

function pair(first: Probability, second: Probability, labels: Labels): Completed {
  const of = (label: string, probability: Probability): OutcomeProbability => ({ label, probability });
  return { first: of(labels[0], first), second: of(labels[1], second) };
}

/** Spelt as the market does, or in any case where that means one outcome; null where it means none, or either. */
function placeOf(label: string, labels: Labels): 0 | 1 | null {
  if (labels[0] === labels[1]) return null;
  const exact = labels.indexOf(label);
  const same = labels.map((one) => one.toLowerCase() === label.toLowerCase());
  if (exact === 0 || exact === 1) return exact;
  if (same[0] === same[1]) return null;
  return same[0] ? 0 : 1;
}

const named = ([first, second]: Labels): string => `its outcomes are ${first} and ${second}`;

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
  const difference = probability > mid ? probability - mid : mid - probability;
  if (difference < IMPLAUSIBLE_FROM) return { probability };
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
