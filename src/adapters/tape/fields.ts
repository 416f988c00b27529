import * as v from 'valibot';
import { MARKET_ID, wellFormed } from '../../core/market/market.js';
import { AMOUNT_LIMIT, type Price, parseMicro, price as priceOf, type Shares, type Usdc } from '../../core/money.js';

/** Text to a value; what the parser throws becomes the issue reported to the reader of the tape. */
function read<Value>(parse: (text: string) => Value) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      try {
        return parse(dataset.value);
      } catch (error) {
        addIssue({ message: error instanceof Error ? error.message : String(error) });
        return NEVER;
      }
    }),
  );
}

/** A price as exact decimal text, strictly between 0 and 1. */
export const priceField = read<Price>(priceOf);
/** A number of shares as exact decimal text. */
export const sharesField = read((text) => parseMicro(text) as Shares);
/** Dollars as exact decimal text. */
export const usdcField = read((text) => parseMicro(text) as Usdc);
/** Millionths as exact decimal text, such as 0.05 for 50 000. */
export const millionths = read(parseMicro);
/** The end of the year 9999: times derived from a moment of a tape stay valid dates. */
export const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
/** A moment as ISO 8601 in UTC, exactly as JavaScript writes it, up to the year 9999. */
export const momentField = read((text) => {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== text || date.getTime() > LAST_MOMENT) {
    throw new TypeError('must be a moment such as 2026-03-01T12:00:00.000Z');
  }
  return date;
});
/** A whole number of 0 or more that JSON holds exactly. */
export const wholeField = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(Number(AMOUNT_LIMIT)));
/** Text fit to be kept and shown. */
export const words = v.pipe(v.string(), v.transform(wellFormed));
/** Text fit to be kept and shown, or null when the venue gave none. */
export const nullableText = v.nullable(words);
/** A market id as the interface accepts it. */
export const id = v.pipe(v.string(), v.regex(MARKET_ID, 'must be 1 to 128 letters, digits and . _ : -'));
