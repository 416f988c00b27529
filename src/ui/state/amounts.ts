import { formatMicro, ONE } from '../../core/money.js';

const CENT = 10_000n;
const SIGNED = /^(-?)(\d+)(?:\.(\d{1,6}))?$/;

/** The exact value of a decimal of the API, in millionths. @throws TypeError where it is none */
export function microOf(text: string): bigint {
  const [, sign, whole = '', fraction = ''] = SIGNED.exec(text) ?? [];
  if (sign === undefined) throw new TypeError(`${text} is not a decimal`);
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(6, '0'));
  return sign === '-' ? -size : size;
}

/** The exact sum of decimals; null counts as nothing. */
export const sumOf = (texts: readonly (string | null)[]): bigint =>
  texts.reduce((sum, text) => sum + (text === null ? 0n : microOf(text)), 0n);

/** Dollars with cents: `1,204.10`. To the nearest cent, half away from zero; the exact figure belongs in a title. */
export function dollarText(micro: bigint): string {
  const size = micro < 0n ? -micro : micro;
  const cents = (size + CENT / 2n) / CENT;
  const text = `${grouped((cents / 100n).toString())}.${(cents % 100n).toString().padStart(2, '0')}`;
  return micro < 0n && cents > 0n ? `−${text}` : text;
}

/** Dollars with a sign before a gain or a loss: `+9.51`, `−3.00`, `0.00`. */
export function gain(micro: bigint): string {
  const text = dollarText(micro);
  return micro > 0n && text !== '0.00' ? `+${text}` : text;
}

/** A decimal with at least two places, and all that it has: `0.57`, `23.33`, `1,000.00`. */
export function plainDecimal(text: string): string {
  const [whole = '', fraction = ''] = text.replace(/^-/, '').split('.');
  return `${text.startsWith('-') ? '−' : ''}${grouped(whole)}.${fraction.padEnd(2, '0')}`;
}

const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** How much of a whole a part is, in percent from 0 to 100 and no more, for the length of a bar. */
export function percentOf(part: string, whole: string): number {
  const [some, all] = [microOf(part), microOf(whole)];
  if (all <= 0n) return some > 0n ? 100 : 0;
  const share = (some * 1000n) / all;
  return Math.min(100, Math.max(0, Number(share) / 10));
}

/** How odds are written: as decimals, in the American way, or as the probability that they stand for. */
export const ODDS_FORMATS = ['decimal', 'american', 'percent'] as const;
/** One of them. */
export type OddsFormat = (typeof ODDS_FORMATS)[number];

/**
 * Decimal odds of the API in a format: `2.439`, at most three decimals, cut; `+144` or `−150`, what 100 dollars win or what wins 100;
 * or `41.0 %`. Null where they are not known.
 */
export function oddsInFormat(text: string | null, format: OddsFormat): string | null {
  if (text === null) return null;
  const odds = microOf(text);
  if (format === 'decimal' || odds <= ONE) return text.replace(/(\.\d{3})\d+$/, '$1');
  if (format === 'percent') {
    const tenths = rounded(1000n * ONE, odds);
    return `${tenths / 10n}.${tenths % 10n} %`;
  }
  return odds >= 2n * ONE ? `+${rounded(100n * (odds - ONE), ONE)}` : `−${rounded(100n * ONE, odds - ONE)}`;
}

const AMERICAN = /^([+−-])(\d{3,6})$/;
const PERCENT = /^(\d{1,2}(?:\.\d{1,4})?)\s*%$/;

/** Decimal odds of American ones, such as `+140` or `−150`, or of a percentage, such as `41 %`, with six decimals; null of any other text. */
export function decimalOdds(text: string): string | null {
  const [, sign, hundreds] = AMERICAN.exec(text.trim()) ?? [];
  if (hundreds !== undefined && BigInt(hundreds) >= 100n) {
    const size = BigInt(hundreds) * ONE;
    return formatMicro(ONE + (sign === '+' ? rounded(size, 100n) : rounded(100n * ONE * ONE, size)));
  }
  const [, percent] = PERCENT.exec(text.trim()) ?? [];
  return percent === undefined || microOf(percent) === 0n
    ? null
    : formatMicro(rounded(100n * ONE * ONE, microOf(percent)));
}

const rounded = (part: bigint, of: bigint): bigint => (2n * part + of) / (2n * of);
