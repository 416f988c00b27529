import { AmountMalformed } from './errors.js';

/** A type-level mark that keeps units from being mixed up; at run time it is a plain bigint. */
export type Micro<Unit extends string> = bigint & { readonly 'micro-units of': Unit };

/** Dollars of collateral, in 10⁻⁶ USDC. */
export type Usdc = Micro<'usdc'>;

/** What one share costs, in 10⁻⁶ USDC; strictly between 0 and 1 USDC for an order. */
export type Price = Micro<'price'>;

/** Outcome shares, in 10⁻⁶ of a share; one share of the winning outcome pays 1 USDC. */
export type Shares = Micro<'shares'>;

/** The direction in which a product that does not fit six decimals is taken to the grid. */
export type Rounding = 'floor' | 'ceil';

/** One whole unit (1 USDC, 1 share, a price of 1) in micro-units. */
export const ONE = 1_000_000n;

/** Stored amounts stay below 2⁵³ micro-units, so that every database driver returns them exactly. */
export const AMOUNT_LIMIT = 9_007_199_254_740_992n;

/** Stands for any number of shares that is too large to book; an order for so many is denied. */
export const MOST_SHARES = (AMOUNT_LIMIT - 1n) as Shares;

/** No money. */
export const NO_USDC = 0n as Usdc;
/** No shares. */
export const NO_SHARES = 0n as Shares;

const DECIMALS = 6;
const MAX_WHOLE_DIGITS = 9;
const ZERO = 48;
const NINE = 57;
const DOT = 46;

/**
 * Reads a plain decimal ("0.57", "25") into micro-units, in one bounded pass and without rounding.
 * @throws AmountMalformed for signs, blanks, exponents, more than 9 whole digits or more than 6 decimals.
 *
 * @example
 * ```ts
 * import { parseMicro } from 'stakeport/core';
 *
 * console.log(parseMicro('0.57')); // 570000n
 * ```
 */
export function parseMicro(text: string): bigint {
  const dot = text.indexOf('.');
  const whole = dot === -1 ? text : text.slice(0, dot);
  const fraction = dot === -1 ? '' : text.slice(dot + 1);
  const malformed =
    whole.length > MAX_WHOLE_DIGITS ||
    fraction.length > DECIMALS ||
    text.charCodeAt(text.length - 1) === DOT ||
    !isDigits(whole) ||
    (fraction !== '' && !isDigits(fraction));
  if (malformed) throw new AmountMalformed();
  return BigInt(whole) * ONE + BigInt(fraction.padEnd(DECIMALS, '0'));
}

/** True of a price that an order can have: strictly between 0 and 1 USDC. */
export const isPrice = (micro: bigint): micro is Price => micro > 0n && micro < ONE;

/** True of an amount as `parseMicro` reads it: not negative, and of at most nine whole digits. */
export const isAmount = (micro: bigint): boolean => micro >= 0n && micro < ONE * 10n ** BigInt(MAX_WHOLE_DIGITS);

/**
 * Reads dollars, such as "25" or "0.5". @throws AmountMalformed
 *
 * @example
 * ```ts
 * import { formatMicro, price, shares, usdc } from 'stakeport';
 *
 * console.log(usdc('25'), shares('17.54'), price('0.57')); // 25000000n 17540000n 570000n
 * console.log(formatMicro(usdc('25.10'))); // 25.1
 * ```
 */
export const usdc = (text: string): Usdc => parseMicro(text) as Usdc;

/** Reads a number of shares, such as "17.54". @throws AmountMalformed */
export const shares = (text: string): Shares => parseMicro(text) as Shares;

/** Reads a price, such as "0.57". @throws AmountMalformed unless it lies strictly between 0 and 1 USDC. */
export function price(text: string): Price {
  const value = parseMicro(text);
  if (!isPrice(value)) throw new AmountMalformed('must be above 0 and below 1, such as 0.57');
  return value;
}

/**
 * Writes micro-units as the shortest decimal: "0.57", "25", "1000.5".
 *
 * @example
 * ```ts
 * import { formatMicro } from 'stakeport';
 *
 * console.log(formatMicro(570_000n)); // 0.57
 * ```
 */
export function formatMicro(amount: bigint): string {
  const size = amount < 0n ? -amount : amount;
  const fraction = (size % ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  const digits = fraction === '' ? `${size / ONE}` : `${size / ONE}.${fraction}`;
  return amount < 0n ? `-${digits}` : digits;
}

/** What `shares` cost at `price`. Round up what a trader pays, down what a trader is paid. */
export function notional(shares: Shares, price: Price, rounding: Rounding): Usdc {
  return divide(shares * price, ONE, rounding) as Usdc;
}

/** The most shares, in whole lots, that `size` buys at `price`; `MOST_SHARES` stands for all that are too many to book. */
export function sharesFor(size: Usdc, price: Price, lot: Shares): Shares {
  const exact = (size * ONE) / price;
  return least((exact - (exact % lot)) as Shares, MOST_SHARES);
}

/** `amount × part / whole`, rounded as named; used to share a cost over part of a holding. */
export function proportion(amount: Usdc, part: Shares, whole: Shares, rounding: Rounding): Usdc {
  return divide(amount * part, whole, rounding) as Usdc;
}

/** The sum of two amounts of one unit. */
export const plus = <T extends bigint>(a: T, b: T): T => ((a as bigint) + b) as T;
/** The difference of two amounts of one unit. */
export const minus = <T extends bigint>(a: T, b: T): T => ((a as bigint) - b) as T;
/** The smaller of two amounts of one unit. */
export const least = <T extends bigint>(a: T, b: T): T => (a < b ? a : b);

/** An exact fraction. `d` is above zero. */
export interface Ratio {
  readonly n: bigint;
  readonly d: bigint;
}

/** Micro-units as a fraction. */
export const ratioOf = (micro: bigint): Ratio => ({ n: micro, d: ONE });

/** The order of two ratios: above zero where `a` is more, below zero where it is less. */
export const compareRatios = (a: Ratio, b: Ratio): bigint => a.n * b.d - b.n * a.d;

/** The largest whole number that is not above. */
export function floorOf({ n, d }: Ratio): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

/** In micro-units, rounded down. */
export const microFloor = ({ n, d }: Ratio): bigint => floorOf({ n: n * ONE, d });

const TEN = 10n;

/** A fraction as a decimal with so many digits after the point, the last one rounded half to even: 2/3 is `0.667` with three. */
export function ratioText({ n, d }: Ratio, decimals: number): string {
  const size = n < 0n ? -n : n;
  const scaled = size * TEN ** BigInt(decimals);
  const whole = scaled / d;
  const twice = 2n * (scaled - whole * d);
  const isUp = twice > d || (twice === d && whole % 2n === 1n);
  const digits = (isUp ? whole + 1n : whole).toString().padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return n < 0n && /[1-9]/.test(text) ? `-${text}` : text;
}

function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  return rounding === 'ceil' && quotient * divisor !== dividend ? quotient + 1n : quotient;
}

function isDigits(text: string): boolean {
  if (text.length === 0) return false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < ZERO || code > NINE) return false;
  }
  return true;
}
