import * as v from 'valibot';
import { AmountMalformed } from '../../../core/errors.js';
import { ONE, type Price, parseMicro, type Shares } from '../../../core/money.js';

const MOST_TEXT = 64;
const MOST_EXPONENT = 30;
const DECIMALS = 6;
/** A better price multiplies what a purchase gets, at most from the highest to the lowest price of a coarse grid. */
const MOST_OVER = 100n;
const SCIENTIFIC = /^(\d{1,40})(?:\.(\d{1,40}))?[eE]([+-]?\d{1,3})$/;

/**
 * Millionths of a decimal of the wire, exactly. Zeros beyond six decimals are dropped, and so is the exponent that some
 * write for small numbers.
 * @throws AmountMalformed for what is no decimal, or not exact in 6 decimals
 */
export function exactMicro(text: string): bigint {
  if (text.length > MOST_TEXT) throw new AmountMalformed();
  const plain = withoutExponent(text);
  const dot = plain.indexOf('.');
  if (dot === -1) return parseMicro(plain);
  const kept = plain.slice(0, dot + 1 + DECIMALS);
  const rest = plain.slice(kept.length);
  if (![...rest].every((character) => character === '0')) throw new AmountMalformed();
  return parseMicro(kept);
}

/**
 * An amount that the venue may write in two ways, as a decimal ("14.925372") or as a whole number of millionths
 * ("14925372"): its documents disagree (`polymarket.md` 2.3, 3.7). With a point it is a decimal. Without one it is a
 * decimal too, unless that would be more than a hundred times what was `asked` while the millionths would not. A wrong guess
 * at the edge is a fill far above the order, which cannot pass unnoticed.
 * @throws AmountMalformed
 */
export function amountLike(text: string, asked: bigint): bigint {
  const digits = /^\d{1,24}$/.test(text) ? BigInt(text) : null;
  const most = asked * MOST_OVER;
  return digits !== null && digits * ONE > most && digits <= most ? digits : exactMicro(text);
}

/** `exactMicro`, or null for what it does not take. */
export function decimalOrNull(text: string): bigint | null {
  try {
    return exactMicro(text);
  } catch (error) {
    if (error instanceof AmountMalformed) return null;
    throw error;
  }
}

/** A status of the venue in upper case, without the prefix that some versions put before it. */
export function wordOf(status: string, prefix: string): string {
  const word = status.toUpperCase();
  return word.startsWith(prefix) ? word.slice(prefix.length) : word;
}

/** Millionths, from a decimal as text. */
export const wireMicro = micro(exactMicro);
/** A number of shares, from a decimal as text. */
export const wireShares = micro((text) => exactMicro(text) as Shares);
/** A price strictly between 0 and 1, from a decimal as text. */
export const wirePrice = micro((text) => {
  const price = exactMicro(text);
  if (price <= 0n || price >= ONE) throw new AmountMalformed();
  return price as Price;
});
/** A text of the venue, not longer than any that it is known to send. */
export const wireText = v.pipe(v.string(), v.maxLength(4096));
/** A whole number as text, as numbers of an answer are read. */
export const wireWhole = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));

function micro<T extends bigint>(read: (text: string) => T) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return read(dataset.value);
      } catch (error) {
        if (!(error instanceof AmountMalformed)) throw error;
        addIssue({ message: 'no exact decimal' });
        return NEVER;
      }
    }),
  );
}

function withoutExponent(text: string): string {
  const [, whole, fraction = '', exponent] = SCIENTIFIC.exec(text) ?? [];
  if (whole === undefined) return text;
  const places = Number(exponent);
  if (Math.abs(places) > MOST_EXPONENT) throw new AmountMalformed();
  const digits = `${'0'.repeat(MOST_EXPONENT)}${whole}${fraction}${'0'.repeat(MOST_EXPONENT)}`;
  const dot = MOST_EXPONENT + whole.length + places;
  return `${digits.slice(0, dot).replace(/^0+(?=\d)/, '')}.${digits.slice(dot)}`;
}
