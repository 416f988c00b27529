import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonMalformed, JsonNumber, JsonTooDeep, readJson } from '../../../src/adapters/http/json-reader.js';
import { runs } from '../../support/runs.js';

/** What `JSON.parse` would have made of it: numbers as doubles, objects with a prototype. */
function plain(value: unknown): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  // Not by assignment: that would take `__proto__` for the prototype.
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

const shallow = { maxDepth: 6 };

describe('a document', () => {
  test('reads as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.json(shallow), (text) => {
        expect(plain(readJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('may have white space anywhere between its tokens', () => {
    const spaced = fc.tuple(fc.jsonValue(shallow), fc.constantFrom(' ', '\t', '\n', '\r\n  '));
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const text = `${space}${JSON.stringify(value, null, space)}${space}`;
        expect(plain(readJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('is refused exactly when JSON.parse refuses it, whichever character is changed', () => {
    const broken = fc
      .tuple(fc.json(shallow), fc.nat(), fc.constantFrom('', ...'{}[]":,\\0-+.e1tnu \u0000\u00e9'))
      .map(
        ([text, place, other]) => text.slice(0, place % text.length) + other + text.slice((place % text.length) + 1),
      );
    fc.assert(
      fc.property(broken, (text) => {
        const read = outcome(() => plain(readJson(text)));
        // The change can give a member another's name, the one thing on which the two differ.
        fc.pre(read !== 'named twice');
        expect(read).toEqual(outcome(() => JSON.parse(text)));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '{}{}',
    '[1,]',
    '{"a":1,}',
    "{'a':1}",
    '// c\n{}',
    'undefined',
    'NaN',
    '"\u0001"',
    '"\\x41"',
    '"a',
    'tru',
  ])('is not %j', (text) => expect(() => readJson(text)).toThrow(JsonMalformed));
});

function outcome(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof JsonMalformed && error.message.endsWith('appears twice') ? 'named twice' : 'refused';
  }
}

describe('a number', () => {
  test.each(['0.1', '-0', '1e308', '5E-324', '0.5000000000000000000000000000000000001', '99999999999999999999'])(
    '%s keeps its digits',
    (text) => expect(readJson(text)).toEqual(new JsonNumber(text)),
  );

  test.each(['.5', '5.', '+1', '00.5', '0x1', '1_0', '1e', '-', '--1', 'Infinity'])('is not %s', (text) => {
    expect(() => readJson(text)).toThrow(JsonMalformed);
  });
});

describe('a member', () => {
  test.each([
    '{"a":1,"a":1}',
    '{"pap\\u0065r":false,"paper":true}',
    '{"x":{"":1,"":2}}',
    '{"__proto__":1,"__proto__":2}',
  ])('may not be named twice: %s', (text) => expect(() => readJson(text)).toThrow(/appears twice/));

  test('may have the same name in another object', () => {
    expect(plain(readJson('[{"a":1},{"a":{"a":2}}]'))).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });

  test('called __proto__ is one like any other, and reaches no prototype', () => {
    const read = readJson('{"__proto__":{"paper":false},"constructor":1}') as object;
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor']);
    expect('paper' in read).toBe(false);
    expect(Object.getPrototypeOf(read)).toBe(null);
  });

  test('of any length is reported in a short message', () => {
    const name = 'n'.repeat(10_000);
    expect(() => readJson(`{"${name}":1,"${name}":1}`)).toThrow(/^.{1,150}$/);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test('may be 16 deep below the document', () => expect(() => readJson(`{"a":${nested(16)}}`)).not.toThrow());
  test('may not be 17 deep', () => expect(() => readJson(`{"a":${nested(17)}}`)).toThrow(JsonTooDeep));
  test('of a hundred thousand is refused without running out of stack', () => {
    expect(() => readJson('['.repeat(100_000))).toThrow(JsonTooDeep);
  });
});

function isRead(read: (text: string) => unknown, text: string): boolean {
  return outcome(() => void read(text)) !== 'refused';
}

describe('the work', () => {
  const LENGTH = 300_000;

  // Work that grew with the square of the length would take hours: these end, or they run out of time.
  test.each([
    ['a long string', (n: number) => `"${'a'.repeat(n)}"`],
    ['a string that never ends', (n: number) => `"${'\\"'.repeat(n)}`],
    ['strings that break off', (n: number) => `[${'"",'.repeat(n)}"\u0001`],
    ['many numbers', (n: number) => `[${'1.5e3,'.repeat(n)}0]`],
    ['white space', (n: number) => `[${' '.repeat(n)}]`],
    ['white space before the wrong end', (n: number) => `[1${' '.repeat(n)}`],
    ['digits before a wrong end', (n: number) => `${'1'.repeat(n)}x`],
    ['many members', (n: number) => `{${Array.from({ length: n }, (_, i) => `"${i}":1`).join()}}`],
  ])('grows with the length of %s, not with its square', (_, make) => {
    const text = make(LENGTH);
    expect(isRead(readJson, text)).toBe(isRead(JSON.parse, text));
  });
});
