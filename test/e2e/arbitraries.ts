import fc, { type Arbitrary } from 'fast-check';
import { EVENT_TYPES } from '../../src/core/ledger/event-log.js';
import type { Json, Operation, Parameter } from './operations.js';

/** Whether a value matches a schema of the document. */
export type Matches = (schema: Json, value: unknown) => boolean;

/** One request: what it fills into the path, its query, and its body as a value and as it is written. */
export interface FuzzRequest {
  readonly operationId: string;
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

const DAY_MS = 86_400_000;
const soon = new Date(Date.now() + DAY_MS).toISOString();
const moments = fc.oneof(
  fc.integer({ min: 0, max: 2_900_000 }).map((day) => new Date(day * DAY_MS).toISOString()),
  fc.constant(soon),
);
/** Names of members that the document leaves open: labels of outcomes, and others. */
const openNames = fc.constantFrom('Yes', 'No', 'Yes', 'No', 'yes', 'NO', 'Draw', 'a/b~c', '');

/** Every form of text that the document knows; a schema takes those that match it. */
const texts = fc.oneof(
  fc.stringMatching(/^[0-9]{1,9}(\.[0-9]{1,6})?$/),
  fc.stringMatching(/^0\.[0-9]{1,6}$/),
  fc.stringMatching(/^[A-Za-z0-9._:-]{1,128}$/),
  fc.stringMatching(/^[1-9][0-9]{0,3}[shd]$/),
  fc.constantFrom('http://127.0.0.1:9/hook', 'http://127.0.0.1:9/', 'http://[::1]/', 'https://user@example.org/'),
  fc.constantFrom(
    '22:00',
    '07:30',
    '4711',
    '@bets_of_alice',
    'Europe/Berlin',
    '1234:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw',
  ),
  fc.constantFrom('account', 'account', 'service', 'sport:soccer', 'sport:Ice Hockey'),
  fc.constantFrom('open', 'filled,cancelled', '0a1b2c3d4e5f.41'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
);

/** Values that match a schema. */
export function matching(schema: Json, matches: Matches): Arbitrary<unknown> {
  const { anyOf, oneOf, const: only, enum: words, type, format } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((one: Json) => matching(one, matches)));
  if (Array.isArray(oneOf)) return fc.oneof(...oneOf.map((one: Json) => matching(one, matches)));
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  if (type === 'object') return objects(schema, matches);
  if (type === 'array')
    return fc.uniqueArray(matching(schema['items'] as Json, matches), { minLength: 1, maxLength: 3 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer') return fc.integer({ min: Number(schema['minimum']), max: Number(schema['maximum']) });
  if (type === 'number') return numbers(schema, matches);
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time') return moments;
  if (type === 'string') return texts.filter((text) => matches(schema, text));
  throw new Error(`The document shows what cannot be generated: ${JSON.stringify(schema)}`);
}

/** At most six decimals, mostly small. */
function numbers(schema: Json, matches: Matches): Arbitrary<number> {
  const micro = fc.oneof(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 999_999_999_999_999 }));
  return micro.map((value) => value / 1_000_000).filter((value) => matches(schema, value));
}

function objects({ properties = {}, required, additionalProperties }: Json, matches: Matches): Arbitrary<object> {
  if (typeof additionalProperties === 'object' && additionalProperties !== null) {
    const values = matching(additionalProperties as Json, matches);
    return fc.dictionary(openNames, values, { minKeys: 1, maxKeys: 2, noNullPrototype: true });
  }
  const entries = Object.entries(properties as Record<string, Json>);
  const model = Object.fromEntries(entries.map(([name, schema]) => [name, matching(schema, matches)]));
  const many = fc.record(model, { requiredKeys: required as string[], noNullPrototype: true });
  if ((required as string[] | undefined)?.length !== 0 || entries.length < 2) return many;
  // A change names one member, too: many members together are seldom all allowed.
  const single = Object.entries(model).map(([name, value]) => fc.record({ [name]: value }, { noNullPrototype: true }));
  return fc.oneof(many, fc.oneof(...single));
}

/** Objects with something about them changed: a member gone, added, or anything at all. Some still match. */
function broken(good: Arbitrary<unknown>): Arbitrary<unknown> {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(null, -1, 0, 1, 1e9, 1e308, 0.1234567, '', ' ', [], {}),
  );
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(good, fc.nat(), anything).map(([body, place, value]) => replaced(body, place, value)),
    },
    { weight: 2, arbitrary: fc.tuple(good, fc.nat()).map(([body, place]) => replaced(body, place, undefined)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(good, fc.string(), anything)
        .map(([body, name, value]) => ({ ...(body as object), [name]: value })),
    },
    { weight: 1, arbitrary: anything },
  );
}

/** The `place`th member, counted through all objects, becomes another; undefined takes it away. */
function replaced(body: unknown, place: number, value: unknown): unknown {
  const paths = pathsOf(body, []);
  const path = paths[place % Math.max(paths.length, 1)] ?? [];
  return withPath(body, path, value);
}

function pathsOf(value: unknown, path: readonly string[]): (readonly string[])[] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [[...path, name], ...pathsOf(member, [...path, name])]);
}

function withPath(value: unknown, [name, ...rest]: readonly string[], leaf: unknown): unknown {
  if (name === undefined) return leaf;
  const { [name]: member, ...others } = value as Record<string, unknown>;
  const changed = withPath(member, rest, leaf);
  return changed === undefined ? others : { ...others, [name]: changed };
}

const junk = fc.constantFrom(
  '',
  ' ',
  '-1',
  '0',
  '101',
  'x',
  'a b',
  '\u0000',
  '%',
  "' or 1=1 --",
  '__proto__',
  '2030-02-30T00:00:00Z',
  'true',
);

/** The kinds of events in a query are one text, of which the document has no schema. Some are none, within a list too. */
const someType = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom<string>(...EVENT_TYPES) },
  { weight: 1, arbitrary: fc.constantFrom('order.flll', 'order', ' order.fill', '') },
);
const typeLists = fc.array(someType, { minLength: 1, maxLength: 4 }).map(String);
const isTypeList = (text: string) => text.split(',').every((type) => EVENT_TYPES.some((known) => known === type));

/** Whether a value of a query fits what the document says of it. */
export function fits({ name, schema }: Pick<Parameter, 'name' | 'schema'>, text: string, matches: Matches): boolean {
  if (name === 'types') return isTypeList(text);
  return matches(schema, asValue(schema, text));
}

function asValue({ type }: Json, text: string): unknown {
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text;
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function queries({ parameters }: Operation, matches: Matches): Arbitrary<Record<string, string>> {
  const named = parameters.filter((parameter) => parameter.in === 'query');
  const values = named.map(({ name, schema }) => {
    const good = name === 'types' ? typeLists : matching(schema, matches).map(String);
    return [name, fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: junk })] as const;
  });
  return fc
    .record<Record<string, string>>(Object.fromEntries(values), { noNullPrototype: true })
    .chain((all) => fc.subarray(Object.entries(all)).map((some) => Object.fromEntries(some)));
}

const someHeaders = fc.record(
  {
    'idempotency-key': fc.oneof(fc.constantFrom('k1', 'k2', '"k3"'), fc.stringMatching(/^[ -~]{0,20}$/)),
    'if-match': fc.constantFrom('*', '"1"', '"2"', 'W/"1"', ''),
    'x-request-id': fc.stringMatching(/^[ -~]{0,20}$/),
    accept: fc.constantFrom('*/*', 'text/html', 'application/json'),
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Requests for an operation, valid and not. `ids` is where the ids of its path come from. */
export function requests(operation: Operation, ids: Arbitrary<string>, matches: Matches): Arbitrary<FuzzRequest> {
  const good = operation.body === undefined ? fc.constant(undefined) : matching(operation.body, matches);
  const bodies = operation.body === undefined ? good : fc.oneof(good, broken(good));
  const parts = { id: ids, query: queries(operation, matches), body: bodies, headers: someHeaders };
  return fc.record({ operationId: fc.constant(operation.operationId), ...parts }, { noNullPrototype: true });
}
