import * as v from 'valibot';
import { AmountMalformed, MarketDataUnavailable } from '../../core/errors.js';
import { wellFormed } from '../../core/market/market.js';
import type { Price } from '../../core/money.js';
import { exactMicro, plainMicro, priceOf } from './decimals.js';

const MAX_TEXT = 4096;
/** The significant digits that a double keeps; a longer number may not be what the venue wrote. */
const EXACT_DIGITS = 15;
const MOMENT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d{1,9})?(Z|[+-]\d{2}(?::?\d{2})?)$/;

/** The longest delay of an order; a larger value from the venue means something else. */
const MOST_SECONDS = 86_400;

/** A text fit to be kept and shown; null when absent or empty. */
export const wireText = v.nullish(
  v.pipe(
    v.string(),
    v.maxLength(MAX_TEXT),
    v.transform((text): string | null => (text === '' ? null : wellFormed(text))),
  ),
  null,
);

/** A flag; null when the venue does not say. */
export const wireFlag = v.nullish(v.boolean(), null);

/** A whole number of seconds, a day at most; null when the venue does not say. */
export const wireSeconds = v.nullish(
  v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(MOST_SECONDS)),
  null,
);

/** A decimal as text, from a JSON number or a text; null when absent or empty. */
export const wireDecimal = v.nullish(
  v.union([
    v.pipe(v.number(), v.check(isExact, 'too many digits'), v.transform(String)),
    v.pipe(
      v.string(),
      v.maxLength(MAX_TEXT),
      v.transform((text): string | null => (text === '' ? null : wellFormed(text))),
    ),
  ]),
  null,
);

/** Millionths; null when absent. Refuses values that are not exact in 6 decimals. */
export const wireMicro = v.pipe(
  wireDecimal,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    if (dataset.value === null) return null;
    try {
      return plainMicro(dataset.value);
    } catch (error) {
      if (!(error instanceof AmountMalformed)) throw error;
      addIssue({ message: 'not an exact decimal' });
      return NEVER;
    }
  }),
);

/** A time in either format of the venue, `2027-01-16T01:00:00Z` or `2027-01-16 01:00:00+00`; null when absent or empty. */
export const wireMoment = v.pipe(
  wireText,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    if (dataset.value === null) return null;
    const moment = momentOf(dataset.value);
    if (moment !== undefined) return moment;
    addIssue({ message: 'not a timestamp' });
    return NEVER;
  }),
);

/** Milliseconds since 1970, as digits; anything else counts as missing. */
export const wireTimestamp = v.fallback(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,15}$/),
    v.transform((digits): number | null => Number(digits)),
  ),
  null,
);

/** A list of texts fit to be kept and shown, which the venue writes as JSON inside a text; null when absent or empty. */
export const wireTexts = v.pipe(
  v.nullish(v.union([v.array(v.string()), v.pipe(v.string(), v.maxLength(MAX_TEXT), v.transform(unwrapped))]), null),
  v.nullable(v.array(v.pipe(v.string(), v.transform(wellFormed)))),
);

/** A required text, not longer than any that the venue is known to send. */
export const boundedText = v.pipe(v.string(), v.maxLength(MAX_TEXT));

/** A whole number as text, for JSON parsers that keep every digit. */
export const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number));

/** A price strictly between 0 and 1, from a decimal as text. */
export const exactPrice = v.pipe(
  v.string(),
  v.rawTransform<string, Price>(({ dataset, addIssue, NEVER }) => {
    try {
      return priceOf(exactMicro(dataset.value));
    } catch (error) {
      if (!(error instanceof AmountMalformed)) throw error;
      addIssue({ message: 'not a price' });
      return NEVER;
    }
  }),
);

/** Reads an answer. @throws MarketDataUnavailable when it has another shape. */
export function understood<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (!result.success) throw new MarketDataUnavailable('The source of market data answered with an unknown shape.');
  return result.output;
}

function isExact(value: number): boolean {
  return String(value).replace(/\D/g, '').length <= EXACT_DIGITS;
}

function momentOf(text: string): Date | undefined {
  const [, day, time, fraction = '', zone = ''] = MOMENT.exec(text) ?? [];
  if (day === undefined) return undefined;
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
  const moment = new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

function unwrapped(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
