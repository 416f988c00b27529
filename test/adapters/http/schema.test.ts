import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../src/adapters/http/json-reader.js';
import {
  amount,
  booleanText,
  members,
  momentText,
  POSITIVE,
  textOfLength,
  uuid,
} from '../../../src/adapters/http/schema.js';
import { formatMicro } from '../../../src/core/money.js';
import { runs } from '../../support/runs.js';

const positive = amount({
  holds: (micro) => micro > 0n,
  words: 'greater than 0',
  json: { exclusiveMinimum: 0 },
  pattern: POSITIVE,
  example: 1,
});

/** What a schema makes of a value as it is written in a body; undefined when it refuses. */
function read<Schema extends v.GenericSchema>(schema: Schema, json: string): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, readJson(json));
  return result.success ? result.output : undefined;
}

describe('an amount', () => {
  test('is equal as number and as decimal string, to six digits', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 999_999_999_999_999n), (micro) => {
        expect(read(positive, formatMicro(micro))).toBe(micro);
        expect(read(positive, `"${formatMicro(micro)}"`)).toBe(micro);
      }),
    );
  });

  test.each([
    ['5e-1', 500_000n],
    ['1E3', 1_000_000_000n],
    ['1.5e+2', 150_000_000n],
    ['0.00000123e1', undefined],
    ['123e-6', 123n],
    ['1000000000e-1', 100_000_000_000_000n],
    ['0.0000000001e10', 1_000_000n],
    ['0.50', 500_000n],
    ['999999999.999999', 999_999_999_999_999n],
  ])('written as %s is %s', (json, micro) => expect(read(positive, json)).toBe(micro));

  test.each([
    '0',
    '-0',
    '-1',
    '-1e-3',
    '0e5',
    '0.0',
    '1e-7',
    '1e9',
    '1e31',
    '1e-31',
    '5e-324',
    '1e308',
    '1e999',
    '0.1234567',
    '1000000000',
    '99999999999999999999',
    '0.5000000000000000000000000000000000001',
    `${'9'.repeat(50)}e-45`,
    '""',
    '" 1"',
    '"1 "',
    '"+1"',
    '"-1"',
    '"1e3"',
    '"0x1"',
    '".5"',
    '"5."',
    '"1,5"',
    '"\u0661"',
    '"NaN"',
    '"1\\u0000"',
    'true',
    'null',
    '[1]',
    '{"value":1}',
    '"0"',
  ])('is not %s', (json) => expect(read(positive, json)).toBeUndefined());

  test('never rounds: what is taken is written back as the same number', () => {
    const written = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.nat(9_999_999), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(written, ([whole, fraction, exponent]) => {
        const json = `${whole}.${fraction}e${exponent}`;
        const micro = read(positive, json);
        if (micro !== undefined) expect(Number(formatMicro(micro))).toBe(Number(json));
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('a text', () => {
  const short = textOfLength(1, 3);

  test.each([
    '"a"',
    '"abc"',
    '" a "',
    '"\u00e9\u00e9"',
    '"e\\u0301"',
    '"\\ud83d\\ude00\\ud83d\\ude00\\ud83d\\ude00"',
    '"\\u2028x"',
  ])('takes %s as it is', (json) => expect(read(short, json)).toBe(JSON.parse(json)));

  test.each([
    '""',
    '" "',
    '"\\t"',
    '"abcd"',
    '"a\\u0000"',
    '"a\\u007f"',
    '"a\\u0085"',
    '"\\ud800x"',
    '1',
    'null',
    '["a"]',
    '{}',
  ])('is not %s', (json) => expect(read(short, json)).toBeUndefined());
});

describe('a moment', () => {
  test.each([
    ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00:00.5+02:00', '2030-01-31T10:00:00.500Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('written as %s is %s', (written, utc) => expect(read(momentText, `"${written}"`)?.toISOString()).toBe(utc));

  test.each([
    '2030-02-30T00:00:00Z',
    '2029-02-29T00:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-01-01T24:30:00Z',
    '9999-12-31T23:59:59-01:00',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '+12030-01-01T00:00:00Z',
    '2030-01-31',
    '2030-01-31T12:00:00',
    '2030-01-31T12:00:00.1234Z',
    '2030-01-31T12:00:00+0200',
    'tomorrow',
    '1893456000',
  ])('is not %s', (written) => expect(read(momentText, `"${written}"`)).toBeUndefined());
});

describe('an object', () => {
  const point = members({ x: v.string(), y: v.optional(v.string()) });

  test('is never a list, not even when nothing in it is required', () => {
    const free = members({ y: v.optional(v.string()) });
    expect(read(free, '{}')).toEqual({});
    expect(read(free, '[]')).toBeUndefined();
  });

  test('takes the members that it knows', () => expect(read(point, '{"x":"1"}')).toEqual({ x: '1' }));

  test.each([
    '{}',
    '{"y":"1"}',
    '{"x":"1","z":"1"}',
    '{"x":"1","__proto__":{}}',
    '{"x":"1","constructor":{}}',
    '{"x":"1","toString":1}',
    '{"__proto__":{"x":"1"}}',
    '[]',
    '["1"]',
    'null',
    '"x"',
    '1',
    'true',
  ])('is not %s', (json) => expect(read(point, json)).toBeUndefined());
});

test('a UUID is read in lower case', () => {
  expect(read(uuid, '"019573A0-0000-7000-8000-00000000000A"')).toBe('019573a0-0000-7000-8000-00000000000a');
  expect(read(uuid, '"019573a0000070008000000000000001"')).toBeUndefined();
});

test.each(['"TRUE"', '"1"', '""', '"yes"'])('a flag in a query is true or false, never %s', (json) => {
  expect(read(booleanText, json)).toBeUndefined();
  expect([read(booleanText, '"true"'), read(booleanText, '"false"')]).toEqual([true, false]);
});
