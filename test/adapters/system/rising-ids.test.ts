import fc from 'fast-check';
import { expect, test } from 'vitest';
import { risingIds, uuidV7 } from '../../../src/adapters/system/system.js';
import { runs } from '../../support/runs.js';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const momentOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

const drawn = (count: number, next: () => string) => Array.from({ length: count }, next);
const isRising = (ids: readonly string[]) => ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? ''));

test('ids are rising version 7 UUIDs that begin with the time', () => {
  const before = Date.now();
  const ids = drawn(100_000, uuidV7.next);
  expect(isRising(ids)).toBe(true);
  expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
  expect(momentOf(ids[0] ?? '')).toBeGreaterThanOrEqual(before);
  expect(momentOf(ids.at(-1) ?? '')).toBeLessThanOrEqual(Date.now());
});

test('ids rise whatever the clock does', () => {
  const clock = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(fc.integer({ min: 1_000, max: 2 ** 47 }), clock, (start, steps) => {
      let now = start;
      const { next } = risingIds(() => now);
      const ids = steps.map((step) => {
        now += step;
        return next();
      });
      expect(isRising(ids)).toBe(true);
      expect(ids.filter((id) => !UUID_V7.test(id))).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

test('an exhausted millisecond is followed by the next on a stopped clock', () => {
  const { next } = risingIds(() => 1_000, 7);
  const ids = drawn(80, next);
  expect(isRising(ids)).toBe(true);
  expect(momentOf(ids.at(-1) ?? '')).toBeGreaterThanOrEqual(1_009);
  expect(momentOf(ids.at(-1) ?? '')).toBeLessThanOrEqual(1_020);
});

test('the count’s start and the bits after it are random', () => {
  let now = 1_000;
  const { next } = risingIds(() => now++);
  const ids = drawn(20_000, next);
  expect(new Set(ids.map((id) => id.slice(24))).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(15, 23))).size).toBeGreaterThan(ids.length * 0.99);
  // Each of the 48 bits is set about as often as not.
  for (let bit = 0; bit < 48; bit++) {
    const set = ids.filter((id) => Math.floor(Number.parseInt(id.slice(24), 16) / 2 ** bit) % 2 === 1).length;
    expect(Math.abs(set - ids.length / 2)).toBeLessThan(ids.length * 0.05);
  }
});
