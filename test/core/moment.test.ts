import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoText } from '../../src/core/moment.js';
import { runs } from '../support/runs.js';

test('a moment is written as ISO text, even from a reused date', () => {
  const ms = fc.oneof(
    fc.integer({ min: 0, max: 3 }),
    fc.constantFrom(64, 65, 128, -63, 2 ** 32, 2 ** 32 + 64),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  );
  fc.assert(
    fc.property(fc.array(ms, { minLength: 1 }), (moments) => {
      const reused = new Date(0);
      for (const moment of moments) {
        reused.setTime(moment);
        expect(isoText(reused)).toBe(reused.toISOString());
        expect(isoText(new Date(moment))).toBe(reused.toISOString());
      }
    }),
    { numRuns: runs(200) },
  );
});

test('an invalid date has no text', () => {
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
  expect(() => isoText(new Date(Number.NaN))).toThrow(RangeError);
});
