import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sizesOf } from '../../../../src/adapters/polymarket/http/order-wire.js';
import { amountLike } from '../../../../src/adapters/polymarket/http/trade-wire.js';
import { exactJson } from '../../../../src/adapters/transport/exact-json.js';
import { exactMicro } from '../../../../src/adapters/venue/decimals.js';
import { AmountMalformed } from '../../../../src/core/errors.js';
import { formatMicro, shares } from '../../../../src/core/money.js';

describe('JSON keeps every digit', () => {
  test('of its numbers', () => {
    const text = '{"a":9007199254740993,"b":[0.1234567890123456789,-1e-7, 2E+3],"c":true,"d":null,"e":"5"}';
    expect(exactJson(text)).toEqual({
      a: '9007199254740993',
      b: ['0.1234567890123456789', '-1e-7', '2E+3'],
      c: true,
      d: null,
      e: '5',
    });
  });

  test('and its texts as they are', () => {
    const value = { 'a"1': 'x\\"7, 8', b: '\\', c: '12', '3': '{"x":1}' };
    expect(exactJson(JSON.stringify(value))).toEqual(value);
  });

  test('and refuses what JSON.parse refuses', () => {
    for (const text of ['', '01', '{"a":1', '1 2', '--1', '1.', '"a', 'NaN', '[1,]']) {
      expect(() => exactJson(text), text).toThrow(SyntaxError);
    }
  });

  test('for any value', () => {
    const asTexts = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), (_key, one) => (typeof one === 'number' ? JSON.stringify(one) : one));
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(exactJson(JSON.stringify(value, null, 1))).toEqual(asTexts(value));
      }),
    );
  });
});

describe('row 48: a decimal is exact or refused', () => {
  test.each([
    ['14.925372', 14_925_372n],
    ['0', 0n],
    ['25.0000', 25_000_000n],
    ['0.50000000000', 500_000n],
    ['1e-6', 1n],
    ['1.5E2', 150_000_000n],
    ['12.3456789e3', 12_345_678_900n],
    ['999999999.999999', 999_999_999_999_999n],
  ])('%s', (text, micro) => {
    expect(exactMicro(text)).toBe(micro);
  });

  test.each([
    '',
    '1e-7',
    '0.1234567',
    '-1',
    '+1',
    '1,5',
    ' 1',
    '1.',
    '1e400',
    '1e31',
    'NaN',
    '0x10',
    '9'.repeat(70),
    '1e',
  ])('not %s', (text) => {
    expect(() => exactMicro(text)).toThrow(AmountMalformed);
  });

  test('whatever its digits', () => {
    const micro = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
    fc.assert(fc.property(micro, (amount) => exactMicro(formatMicro(amount)) === amount));
  });
});

describe('an amount that may be decimal or millionths', () => {
  const asked = shares('100');

  test('is decimal with a point or when a decimal explains it', () => {
    expect(amountLike('14.925372', asked)).toBe(14_925_372n);
    expect(amountLike('100', asked)).toBe(100_000_000n);
    expect(amountLike('101', asked)).toBe(101_000_000n);
  });

  test('is millionths where a decimal would be absurd', () => {
    expect(amountLike('14925372', asked)).toBe(14_925_372n);
    expect(amountLike('100000000', asked)).toBe(100_000_000n);
  });

  test('is decimal, however absurd, when neither form explains it', () => {
    expect(amountLike('99999999', shares('0.5'))).toBe(99_999_999_000_000n);
    expect(() => amountLike('', asked)).toThrow(AmountMalformed);
  });

  test('is identified by the requested size, for both sizes of an order', () => {
    const sizes = (originalSize: string, sizeMatched: string) => sizesOf({ originalSize, sizeMatched }, asked);
    expect(sizes('100.0000', '25.5')).toEqual({ original: asked, matched: shares('25.5') });
    expect(sizes('100', '5')).toEqual({ original: asked, matched: shares('5') });
    expect(sizes('100000000', '5')).toEqual({ original: asked, matched: 5n });
    expect(sizes('100000000', '25500000')).toEqual({ original: asked, matched: shares('25.5') });
  });

  test('is not identified by another size', () => {
    expect(sizesOf({ originalSize: '99', sizeMatched: '1' }, asked)).toBeNull();
    expect(sizesOf({ originalSize: '100', sizeMatched: 'many' }, asked)).toBeNull();
    expect(sizesOf({ originalSize: '100000000', sizeMatched: '1.5' }, asked)).toBeNull();
  });
});
