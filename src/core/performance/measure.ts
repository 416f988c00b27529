import { formatMicro, ONE, type Ratio, ratioText } from '../money.js';
import type { Interval } from './intervals.js';

/** Why measures do not exist. */
export const NO_MEASURES = [
  'no_bets',
  'no_decided_bets',
  'no_stake',
  'no_capital',
  'no_mark',
  'no_losses',
  'no_wins',
  'sold_early',
  'no_variance',
  'no_equity',
  'no_drawdown',
  'no_close',
  'no_probability',
  'no_price',
  'short_span',
  'no_deviation',
  'no_losing_day',
  'needs_every_bet',
] as const;

/** Why a measure does not exist. */
export type NoMeasure = (typeof NO_MEASURES)[number];

/** A measure: its value as printed and as a double, and of how many events, bets or days; or why it does not exist. */
export interface Measure {
  readonly value: string | null;
  readonly number: number | null;
  readonly reason: NoMeasure | null;
  readonly n: number;
  /** The 95 % interval, of the yield and of rates. */
  readonly interval: Interval | null;
}

/** The decimals of an exact ratio. */
export const EXACT_DECIMALS = 9;
const APPROXIMATE_DIGITS = 6;
const MOST_DECIMALS = 20;

/** A double with six significant digits, as a plain decimal: what needs a logarithm is not the same on every machine beyond those. */
export function approximateText(value: number): string {
  if (value === 0) return '0';
  const exponent = Number(value.toExponential(APPROXIMATE_DIGITS - 1).split('e')[1]);
  const decimals = Math.min(MOST_DECIMALS, Math.max(0, APPROXIMATE_DIGITS - 1 - exponent));
  return value.toFixed(decimals);
}

/** A bound of an interval, with as many decimals as an exact ratio. */
export const boundText = (bound: number): string => bound.toFixed(EXACT_DECIMALS);

/** A measure that does not exist. */
export const none = (reason: NoMeasure, n = 0): Measure => ({ value: null, number: null, reason, n, interval: null });
const some = (value: string, number: number, n: number, interval: Interval | null = null): Measure => ({
  value,
  number,
  reason: null,
  n,
  interval,
});
/** An amount of micro-dollars. */
export const money = (amount: bigint, n: number): Measure => some(formatMicro(amount), Number(amount) / Number(ONE), n);
/** A whole number. */
export const integer = (number: number, n: number): Measure => some(`${number}`, number, n);
/** An exact ratio, with nine decimals. */
export const exact = (ratio: Ratio, n: number, interval: Interval | null = null): Measure =>
  some(ratioText(ratio, EXACT_DECIMALS), Number(ratio.n) / Number(ratio.d), n, interval);
/** A double that needed no more than a square root, with nine decimals. */
export const rooted = (number: number, n: number): Measure => some(number.toFixed(EXACT_DECIMALS), number, n);
/** A double that needed a logarithm, with six digits. */
export const approximate = (number: number, n: number): Measure => some(approximateText(number), number, n);

/** A measure as it is written: decimal texts, without the double. */
export interface WrittenMeasure {
  readonly value: string | null;
  readonly reason: NoMeasure | null;
  readonly n: number;
  readonly low: string | null;
  readonly high: string | null;
}

/** The texts of a measure, and of the bounds of its interval. */
export const writtenMeasure = ({ value, reason, n, interval }: Measure): WrittenMeasure => ({
  value,
  reason,
  n,
  low: interval === null ? null : boundText(interval[0]),
  high: interval === null ? null : boundText(interval[1]),
});

/** What the bets are evidence of. */
export type Verdict = 'not enough bets' | 'no evidence' | 'evidence' | 'loss';

/** Fewer settled events prove nothing. */
export const FEWEST_EVENTS = 30;
const WIDE = 0.05;

/**
 * What the interval of the yield says: `evidence` where all of it lies above 0, `loss` below. One that holds both −5 % and +5 % is too wide
 * to say anything.
 */
export function verdictOf({ n, interval }: Measure): Verdict {
  if (n < FEWEST_EVENTS || interval === null) return 'not enough bets';
  const [low, high] = interval;
  if (low > 0) return 'evidence';
  if (high < 0) return 'loss';
  return low <= -WIDE && high >= WIDE ? 'not enough bets' : 'no evidence';
}
