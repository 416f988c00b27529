import { AmountMalformed } from '../../core/errors.js';
import { ONE, type Price, parseMicro, type Shares } from '../../core/money.js';

const MOST_TEXT = 64;
/** The longest text, with the digits that an exponent can add. */
const MOST_PLAIN = 200;
const MOST_EXPONENT = 30;
const DECIMALS = 6;
const SCIENTIFIC = /^(\d{1,40})(?:\.(\d{1,40}))?[eE]([+-]?\d{1,3})$/;

/**
 * The exact millionths of a decimal of the wire: "0.57", ".57", and with an exponent, as some write small numbers. Zeros
 * beyond six decimals are dropped.
 * @throws AmountMalformed for text that is not a decimal, or not exact in 6 decimals
 */
export function exactMicro(text: string): bigint {
  if (text.length > MOST_TEXT) throw new AmountMalformed();
  return plainMicro(withoutExponent(text));
}

/** The exact millionths of a decimal without an exponent. @throws AmountMalformed */
export function plainMicro(text: string): bigint {
  const [kept, rest] = cut(text);
  if (!/^0*$/.test(rest)) throw new AmountMalformed();
  return parseMicro(kept);
}

/** The exact millionths of a decimal of the wire, or null for other text. */
export function decimalOrNull(text: string): bigint | null {
  try {
    return exactMicro(text);
  } catch (error) {
    if (error instanceof AmountMalformed) return null;
    throw error;
  }
}

/** A book price, without an exponent. @throws AmountMalformed unless exact in 6 decimals and strictly between 0 and 1. */
export const priceIn = (text: string): Price => priceOf(plainMicro(text));

/** Millionths as a price. @throws AmountMalformed unless strictly between 0 and 1. */
export function priceOf(price: bigint): Price {
  if (price <= 0n || price >= ONE) throw new AmountMalformed();
  return price as Price;
}

/** A number of shares in a book, without an exponent; decimals beyond the sixth are dropped. @throws AmountMalformed */
export function sharesIn(text: string): Shares {
  const [kept, rest] = cut(text);
  if (!/^\d*$/.test(rest)) throw new AmountMalformed();
  return parseMicro(kept) as Shares;
}

/** A decimal up to its sixth decimal, and what follows. */
function cut(text: string): readonly [kept: string, rest: string] {
  if (text.length > MOST_PLAIN) throw new AmountMalformed();
  const plain = text.startsWith('.') ? `0${text}` : text;
  const dot = plain.indexOf('.');
  const end = dot === -1 ? plain.length : dot + 1 + DECIMALS;
  return [plain.slice(0, end), plain.slice(end)];
}

function withoutExponent(text: string): string {
  const [, whole, fraction = '', exponent] = /[eE]/.test(text) ? (SCIENTIFIC.exec(text) ?? []) : [];
  if (whole === undefined) return text;
  const places = Number(exponent);
  if (Math.abs(places) > MOST_EXPONENT) throw new AmountMalformed();
  const digits = `${'0'.repeat(MOST_EXPONENT)}${whole}${fraction}${'0'.repeat(MOST_EXPONENT)}`;
  const dot = MOST_EXPONENT + whole.length + places;
  return `${digits.slice(0, dot).replace(/^0+(?=\d)/, '')}.${digits.slice(dot)}`;
}
