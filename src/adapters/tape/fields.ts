import * as v from 'valibot';
import { AMOUNT_LIMIT, type Price, parseMicro, price as priceOf, type Shares, type Usdc } from '../../core/money.js';

/** Text to a value; what the parser throws becomes the issue that the reader of the tape is told. */
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
export const price = read<Price>(priceOf);
/** A number of shares as exact decimal text. */
export const shares = read((text) => parseMicro(text) as Shares);
/** Dollars as exact decimal text. */
export const usdc = read((text) => parseMicro(text) as Usdc);
/** Millionths as exact decimal text, such as 0.05 for 50 000. */
export const millionths = read(parseMicro);
/** A moment as ISO 8601 in UTC, exactly as JavaScript writes it. */
export const moment = read((text) => {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== text) {
    throw new TypeError('must be a moment such as 2026-03-01T12:00:00.000Z');
  }
  return date;
});
/** A whole number of 0 or more that JSON holds exactly. */
export const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(Number(AMOUNT_LIMIT)));
/** Text, or null where the venue told none. */
export const told = v.nullable(v.string());
