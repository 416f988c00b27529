import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AmountMalformed } from '../../src/core/errors.js';
import {
  AMOUNT_LIMIT,
  formatMicro,
  MOST_SHARES,
  notional,
  type Price,
  parseMicro,
  proportion,
  type Shares,
  sharesFor,
  type Usdc,
} from '../../src/core/money.js';
import { ONE_LOT, price, shares, usdc } from '../support/builders.js';

const amounts = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
const prices = fc.bigInt({ min: 1n, max: 999_999n }).map((micro) => micro as Price);
const sizes = fc.bigInt({ min: 1n, max: 999_999_999_999_999n }).map((micro) => micro as Usdc);

/** Reads a decimal as a fraction by the book, digit by digit, without any of the code under test. */
function asFraction(text: string): { numerator: bigint; denominator: bigint } {
  let numerator = 0n;
  let denominator = 1n;
  let afterDot = false;
  for (const sign of text) {
    if (sign === '.') {
      afterDot = true;
      continue;
    }
    numerator = numerator * 10n + BigInt(sign);
    if (afterDot) denominator *= 10n;
  }
  return { numerator, denominator };
}

describe('An amount of money', () => {
  it('is read exactly, with a million micro-units to the unit', () => {
    const digits = (minLength: number, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
    const decimals = fc.tuple(digits(1, 9), fc.option(digits(1, 6)));
    fc.assert(
      fc.property(decimals, ([whole, fraction]) => {
        const text = fraction === null ? whole : `${whole}.${fraction}`;
        const { numerator, denominator } = asFraction(text);
        expect(parseMicro(text) * denominator).toBe(numerator * 1_000_000n);
      }),
    );
  });

  it('survives formatting and parsing, as the shortest decimal', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        const text = formatMicro(amount);
        expect(parseMicro(text)).toBe(amount);
        expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });

  it.each([
    ['0.570000', '0.57'],
    ['25', '25'],
    ['25.0', '25'],
    ['1000.50', '1000.5'],
    ['0', '0'],
    ['0.000001', '0.000001'],
    ['999999999.999999', '999999999.999999'],
    ['007', '7'],
  ])('of %s is written %s', (text, shortest) => {
    expect(formatMicro(parseMicro(text))).toBe(shortest);
  });

  it('that is a loss is written with its sign', () => {
    expect(formatMicro(-500_000n)).toBe('-0.5');
    expect(formatMicro(-1_000_001n)).toBe('-1.000001');
  });

  it.each([
    ['a minus', '-1'],
    ['a plus', '+1'],
    ['nothing', ''],
    ['a blank', ' '],
    ['a blank before', ' 1'],
    ['a blank after', '1 '],
    ['a line break', '1\n'],
    ['an exponent', '1e3'],
    ['a negative exponent', '1e-3'],
    ['seven decimals', '0.1234567'],
    ['seven decimals that are zeros', '1.0000000'],
    ['ten whole digits', '1000000000'],
    ['ten whole digits that start with zeros', '0000000001'],
    ['a dot at the end', '5.'],
    ['a dot at the start', '.5'],
    ['a dot alone', '.'],
    ['two dots', '1.2.3'],
    ['a comma', '1,5'],
    ['an underscore', '1_000'],
    ['a hexadecimal', '0x10'],
    ['a word', 'NaN'],
    ['another word', 'Infinity'],
    ['Arabic digits', '١٢'],
    ['full-width digits', '１２'],
    ['a Devanagari decimal', '0.५'],
    ['a minus in the decimals', '0.-5'],
    ['a null character', '1\0'],
  ])('is refused when it is written with %s', (_, text) => {
    expect(() => parseMicro(text)).toThrow(AmountMalformed);
  });

  it('is refused in no time, however long the text', () => {
    const started = performance.now();
    expect(() => parseMicro(`${'0'.repeat(1_000_000)}x`)).toThrow(AmountMalformed);
    // By a way that takes the square of the length it would be hours.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('A price', () => {
  it.each(['0', '1', '1.000001', '25'])('of %s is refused: it does not lie between 0 and 1', (text) => {
    expect(() => price(text)).toThrow(AmountMalformed);
  });

  it.each(['0.000001', '0.57', '0.999999'])('of %s is a price', (text) => {
    expect(formatMicro(price(text))).toBe(text);
  });
});

describe('Shares times price', () => {
  it('is rounded up or down by less than one micro-dollar, as named', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: AMOUNT_LIMIT }), prices, (count, at) => {
        const exact = count * at;
        const floor = notional(count as Shares, at, 'floor') * 1_000_000n;
        const ceil = notional(count as Shares, at, 'ceil') * 1_000_000n;
        expect(floor <= exact && exact - floor < 1_000_000n).toBe(true);
        expect(ceil >= exact && ceil - exact < 1_000_000n).toBe(true);
      }),
    );
  });

  it('is not rounded at all when it fits', () => {
    expect(notional(shares('20'), price('0.57'), 'ceil')).toBe(usdc('11.4'));
    expect(notional(shares('20'), price('0.57'), 'floor')).toBe(usdc('11.4'));
  });
});

describe('The shares that a size buys', () => {
  it('are the most whole lots that the size pays for', () => {
    fc.assert(
      fc.property(sizes, prices, (size, at) => {
        const bought = sharesFor(size, at, ONE_LOT);
        fc.pre(bought < MOST_SHARES);
        expect(bought % ONE_LOT).toBe(0n);
        expect(notional(bought, at, 'ceil')).toBeLessThanOrEqual(size);
        expect((bought + ONE_LOT) * at).toBeGreaterThan(size * 1_000_000n);
      }),
    );
  });

  it('never are more than can be stored', () => {
    expect(sharesFor(usdc('999999999.999999'), price('0.000001'), ONE_LOT)).toBe(MOST_SHARES);
    expect(MOST_SHARES).toBeLessThan(AMOUNT_LIMIT);
  });
});

describe('A part of a cost', () => {
  it('and the rest sum to the whole when rounded in opposite directions', () => {
    const holdings = fc
      .bigInt({ min: 1n, max: AMOUNT_LIMIT - 1n })
      .chain((whole) => fc.record({ whole: fc.constant(whole), part: fc.bigInt({ min: 0n, max: whole }) }));
    fc.assert(
      fc.property(amounts, holdings, (cost, { whole, part }) => {
        const kept = proportion(cost as Usdc, part as Shares, whole as Shares, 'ceil');
        const gone = proportion(cost as Usdc, (whole - part) as Shares, whole as Shares, 'floor');
        expect(kept + gone).toBe(cost);
      }),
    );
  });
});
