import * as v from 'valibot';
import { ONE } from '../../core/money.js';
import { RULE_DURATION, RULE_OFFSET, readDuration, readOffset } from '../../core/strategy/rules/rule-duration.js';
import { JsonNumber } from './json-reader.js';
import { amount, DECIMAL, describe, POSITIVE } from './schema.js';

const ABOVE_ONE = '^(?=[0-9]{1,9}(\\.|$))(0*([2-9]|[1-9][0-9]+)(\\.[0-9]{1,6})?|0*1\\.(?=[0-9]*[1-9])[0-9]{1,6})$';

/** Decimal odds. */
export const odds = amount({
  holds: (micro) => micro > ONE,
  words: 'decimal odds greater than 1, such as 1.5',
  json: { exclusiveMinimum: 1 },
  example: 1.5,
  pattern: ABOVE_ONE,
});

/** Any amount or fraction. */
export const notNegative = <T extends bigint>() =>
  amount<T>({ holds: () => true, words: '0 or more', json: { minimum: 0 }, pattern: DECIMAL, example: 0.02 });

/** Any amount or fraction but 0. */
export const positive = <T extends bigint>() =>
  amount<T>({
    holds: (micro) => micro > 0n,
    words: 'greater than 0',
    json: { exclusiveMinimum: 0 },
    pattern: POSITIVE,
    example: 0.1,
  });

/** A difference of prices. */
export const belowOne = <T extends bigint>() =>
  amount<T>({
    holds: (micro) => micro < ONE,
    words: '0 or more, and below 1',
    json: { minimum: 0, exclusiveMaximum: 1 },
    pattern: '^0{1,9}(\\.[0-9]{1,6})?$',
    example: 0.05,
  });

/** A price, or a fraction that is neither nothing nor the whole. */
export const between = <T extends bigint>() =>
  amount<T>({
    holds: (micro) => micro > 0n && micro < ONE,
    words: 'greater than 0 and less than 1',
    json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
    example: 0.3,
    pattern: '^0{1,9}\\.(?=[0-9]*[1-9])[0-9]{1,6}$',
  });

const WHOLE = /^(0|[1-9][0-9]{0,15})(\.0+)?$/;

/** A whole number. */
export function wholeFrom(minimum: number, maximum: number) {
  const schema = v.pipe(
    v.unknown(),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): number => {
      const count = value instanceof JsonNumber && WHOLE.test(value.text) ? Number(value.text) : Number.NaN;
      if (count >= minimum && count <= maximum) return count;
      addIssue({ message: `must be a whole number from ${minimum} to ${maximum}` });
      return NEVER;
    }),
  );
  return describe(schema, { type: 'integer', minimum, maximum });
}

const UNITS = 'a whole number and s, m, h or d, such as 30s, 15m, 12h or 90d, at most 3650d';

const time = (read: (text: string) => number | undefined, words: string, pattern: string) =>
  describe(
    v.pipe(
      v.unknown(),
      v.rawTransform(({ dataset: { value }, addIssue, NEVER }): number => {
        const ms = typeof value === 'string' ? read(value) : undefined;
        if (ms !== undefined) return ms;
        addIssue({ message: `must be ${words}` });
        return NEVER;
      }),
    ),
    { type: 'string', pattern },
  );

/** How long, in milliseconds. */
export const duration = time(readDuration, UNITS, RULE_DURATION);
/** When, relative to the start of a game, in milliseconds. */
export const offset = time(readOffset, `${UNITS}; with a minus it is before the start`, RULE_OFFSET);

/** One of these words. */
export const ruleWord = <const Words extends readonly string[]>(words: Words) =>
  v.picklist(words, `must be one of ${words.join(', ')}`);

/** A union whose option is chosen by the value, so that its faults are those of the option that was meant. */
function chosen<const Options extends v.UnionOptions>(options: Options, choose: (value: unknown) => v.GenericSchema) {
  const schema = v.union(options);
  const run: (typeof schema)['~run'] = (dataset, config) =>
    choose(dataset.value)['~run'](dataset, config) as ReturnType<(typeof schema)['~run']>;
  return { ...schema, '~run': run };
}

const LISTED = 'must have 1 to 100 entries';

/** One to a hundred. */
export const listOf = <T>(one: v.GenericSchema<unknown, T>) =>
  v.pipe(v.array(one, 'must be an array'), v.minLength(1, LISTED), v.maxLength(100, LISTED));

/** One by itself, or a list. */
export function oneOrMore<T>(one: v.GenericSchema<unknown, T>) {
  const list = listOf(one);
  return chosen([one, list], (value) => (Array.isArray(value) ? list : one));
}

type OneMember = v.StrictObjectSchema<v.ObjectEntries, v.ErrorMessage<v.StrictObjectIssue>>;

/** A choice of several objects with one member each: the one whose member is there. */
function byMember(options: readonly OneMember[], words: string) {
  const byName = options.map((option) => ({ option, name: Object.keys(option.entries)[0] ?? '' }));
  const refused = v.custom<never>(() => false, `must be ${words} ${byName.map(({ name }) => name).join(', ')}`);
  return (value: unknown) => {
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    const [found, more] = byName.filter(({ name }) => isObject && Object.hasOwn(value, name));
    return found === undefined || more !== undefined ? refused : found.option;
  };
}

/** One of several objects that have one member each. */
export const oneMember = <const Options extends readonly OneMember[]>(options: Options) =>
  chosen(options, byMember(options, 'an object with one of'));

/** One of several objects that have one member each, or a single word. */
export function wordOrMember<const Word extends string, const Options extends readonly OneMember[]>(
  word: Word,
  options: Options,
) {
  const byName = byMember(options, `"${word}", or an object with one of`);
  const alone = v.literal(word, `must be "${word}", or an object that names it`);
  return chosen([alone, ...options], (value) => (typeof value === 'string' ? alone : byName(value)));
}
