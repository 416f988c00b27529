import type { JsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { isMoment } from '../../core/moment.js';
import { parseMicro } from '../../core/money.js';
import { JsonNumber } from './json-reader.js';

/** The OpenAPI form of schemas that Valibot cannot describe by itself. */
const described = new WeakMap<object, JsonSchema>();

/** Sets the form of a schema in the OpenAPI document. */
export function describe<Schema extends v.GenericSchema>(schema: Schema, jsonSchema: JsonSchema): Schema {
  described.set(rootOf(schema), jsonSchema);
  return schema;
}

/** Documents a member in the reference: its meaning, its unit, its bounds, and an example. */
export function means<Schema extends v.GenericSchema>(
  schema: Schema,
  words: string,
  example?: string | number,
): Schema {
  const says = example === undefined ? [v.description(words)] : [v.description(words), v.examples([example])];
  // Right after the start: for a request, nothing behind a transformation is shown.
  const [first, ...rest] = partsOf(schema);
  return v.pipe(first, ...says, ...rest) as v.GenericSchema as Schema;
}

function partsOf(schema: v.GenericSchema): [v.GenericSchema, ...v.PipeItem<unknown, unknown, v.BaseIssue<unknown>>[]] {
  if (!('pipe' in schema) || !Array.isArray(schema.pipe)) return [schema];
  const [first, ...rest] = schema.pipe;
  return [...partsOf(first), ...rest];
}

/** The converter never sees a pipe, only the schema at its start. */
function rootOf(schema: v.GenericSchema): v.GenericSchema {
  const first = 'pipe' in schema && Array.isArray(schema.pipe) ? (schema.pipe[0] as v.GenericSchema) : schema;
  return first === schema ? schema : rootOf(first);
}

/** The form set with `describe`, if any. */
export const descriptionOf = (schema: object): JsonSchema | undefined => described.get(schema);

/** Decimal text as the API has always shown it. Published, never executed: it backtracks on long input. */
export const DECIMAL_OUT = '^(?!^[-+.]*$)[+-]?0*\\d*\\.?\\d*$';
/** A decimal string as it may come in. */
export const DECIMAL = '^[0-9]{1,9}(\\.[0-9]{1,6})?$';
/** A decimal string that is more than 0. */
export const POSITIVE = '^(?=[0-9.]*[1-9])[0-9]{1,9}(\\.[0-9]{1,6})?$';
/** A decimal string between 0 and 1, both excluded. */
export const BETWEEN_0_AND_1 = '^0{1,9}\\.(?=[0-9]*[1-9])[0-9]{1,6}$';
const MAX_EXPONENT = 30;
const JSON_NUMBER = /^(\d{1,40})(?:\.(\d{1,40}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** What an amount must satisfy, in micro-units, and its wording. */
export interface AmountBounds {
  readonly holds: (micro: bigint) => boolean;
  readonly words: string;
  /** The bounds of a JSON number. */
  readonly json: JsonSchema;
  /** Shown in the reference. */
  readonly example: number;
  /** The bounds of a decimal string of at most 9 digits before and 6 after the point, as a regular expression. */
  readonly pattern: string;
}

/** An amount as a JSON number or a decimal string, exact to six decimals, in micro-units. */
export function amount<T extends bigint>(bounds: AmountBounds) {
  const schema = v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset, addIssue, NEVER }): T => {
      const micro = microOf(dataset.value);
      if (typeof micro === 'bigint' && bounds.holds(micro)) return micro as T;
      addIssue({ message: typeof micro === 'string' ? micro : `must be ${bounds.words}` });
      return NEVER;
    }),
  );
  const number = { type: 'number', exclusiveMaximum: 1_000_000_000, ...bounds.json } as const;
  return describe(schema, {
    description: `${bounds.words}, with at most 6 decimals`,
    anyOf: [number, { type: 'string', pattern: bounds.pattern }],
    examples: [bounds.example],
  });
}

/** Micro-units, or the words for what is wrong. */
function microOf(value: unknown): bigint | string {
  const text = value instanceof JsonNumber ? plain(value.text) : value;
  if (typeof text !== 'string') return 'must be a number, or a decimal in a string';
  try {
    return parseMicro(text);
  } catch (error) {
    return error instanceof Error ? error.message : 'must be a decimal';
  }
}

/** A JSON number without its exponent; one with an absurd exponent stays as it is, to be refused. */
function plain(text: string): string {
  if (!text.includes('e') && !text.includes('E')) return text;
  const [, whole = '', fraction = '', exponent = ''] = JSON_NUMBER.exec(text) ?? [];
  const shift = Number(exponent);
  if (whole === '' || Math.abs(shift) > MAX_EXPONENT) return text;
  const digits = '0'.repeat(MAX_EXPONENT) + whole + fraction + '0'.repeat(MAX_EXPONENT);
  const point = MAX_EXPONENT + whole.length + shift;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, '');
  const right = digits.slice(point).replace(/0+$/, '');
  return right === '' ? left : `${left}.${right}`;
}

/** Numbers arrive as objects that hold their digits. */
const isNoObject = (value: unknown): boolean => Array.isArray(value) || value instanceof JsonNumber;

/** An object with these members and no others. Unlike `strictObject`, it refuses arrays, and numbers. */
export function members<const Entries extends v.ObjectEntries>(
  entries: Entries,
): v.StrictObjectSchema<Entries, v.ErrorMessage<v.StrictObjectIssue>> {
  const known = Object.keys(entries);
  const schema = v.strictObject(entries, ({ expected }) => {
    if (expected === 'Object') return 'must be an object';
    if (expected !== 'never') return 'is required';
    return known.length === 0
      ? 'is not known here; no members are'
      : `is not known here; known are ${known.join(', ')}`;
  });
  const run = schema['~run'];
  return {
    ...schema,
    '~run'(dataset, config) {
      return run.call(schema, isNoObject(dataset.value) ? { ...dataset, value: undefined } : dataset, config);
    },
  };
}

const CONTROL = /\p{Cc}/u;
/** `CONTROL` and not blank, in a form that every dialect of JSON Schema reads. */
const PRINTABLE = '^(?=[\\s\\S]*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Text of `min` to `max` characters (code points), not blank, without control characters or half surrogates. */
export function textOfLength(min: number, max: number) {
  const schema = v.pipe(
    v.string('must be a string'),
    v.check((s) => s.isWellFormed(), 'must be well-formed Unicode, without half surrogate pairs'),
    v.check((s) => !CONTROL.test(s), 'must not contain control characters'),
    v.check((s) => s.trim() !== '', 'must not be blank'),
    v.check(
      (s) => s.length <= max * 2 && [...s].length >= min && [...s].length <= max,
      `must have ${min} to ${max} characters`,
    ),
  );
  return describe(schema, { type: 'string', minLength: min, maxLength: max, pattern: PRINTABLE });
}

/** A moment from 1970 to 9999, RFC 3339 with any offset; read into UTC. */
export const momentText = describe(
  v.pipe(
    v.string('must be a string'),
    v.isoTimestamp('must be an RFC 3339 date and time, such as 2030-01-31T12:00:00Z'),
    v.check((text) => WHOLE_MS_WITH_ZONE.test(text), 'must have a zone such as Z or +01:00, and at most 3 decimals'),
    v.check((text) => dayExists(text.slice(0, 10)), 'must be a day that exists'),
    v.transform((text) => new Date(text)),
    v.check(isMoment, 'must be a time that exists, from 1970 to 9999'),
  ),
  { type: 'string', format: 'date-time' },
);

const WHOLE_MS_WITH_ZONE = /^[^.]*(\.[0-9]{1,3})?([Zz]|[+-][0-9]{2}:[0-9]{2})$/;

/** `Date` reads the 30th of February as a day of March. */
function dayExists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** A UUID in any case, read in lower case. */
export const uuid = describe(
  v.pipe(
    v.string('must be a string'),
    v.uuid('must be a UUID'),
    v.transform((text) => text.toLowerCase()),
  ),
  { type: 'string', format: 'uuid' },
);

/** A boolean in a query string. */
export const booleanText = describe(
  v.pipe(
    v.picklist(['true', 'false'], 'must be true or false'),
    v.transform((word) => word === 'true'),
  ),
  { type: 'boolean' },
);

/** Whose money it is, where that is play money. */
export const environmentOut = v.exactOptional(
  means(v.literal('demo'), "`demo` where it is the play money of a venue's demo; absent otherwise."),
);

/** How a decimal looks in answers. */
export const decimalOut = describe(v.string(), { type: 'string', pattern: DECIMAL_OUT });
/** How a count, a version or another whole number looks in answers. */
export const wholeOut = v.pipe(v.number(), v.integer());
/** How a moment looks in answers. */
export const momentOut = describe(v.string(), { type: 'string', format: 'date-time' });
/** How an id looks in answers. */
export const uuidOut = describe(v.string(), { type: 'string', format: 'uuid' });
/** The name of an outcome in answers. */
export const outcomeNameOut = means(
  v.string(),
  'The outcome by its game and its name, for people. Its form may change.',
  'Arsenal – Chelsea: Arsenal',
);
/** The number of an event, as text. */
export const seqOut = v.pipe(v.string(), v.regex(/^(0|[1-9][0-9]{0,15})$/));

/** A text of one or more of these names, separated by commas; `what` says what they are. */
export const severalOf = <Name extends string>(names: readonly Name[], what: string) => {
  const isName = (text: string): text is Name => (names as readonly string[]).includes(text);
  return v.pipe(
    v.string('must be given once'),
    v.check((text) => text.split(',').every(isName), `must be ${what}, separated by commas: ${names.join(', ')}`),
    v.transform((text) => [...new Set(text.split(',').filter(isName))]),
  );
};

/** One of some words. */
export const oneOfWords = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be ${words.join(' or ')}`);
