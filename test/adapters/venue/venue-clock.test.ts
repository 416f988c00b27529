import { expect, test } from 'vitest';
import { VenueClock } from '../../../src/adapters/venue/venue-clock.js';

const OURS = new Date('2027-01-10T12:00:00.400Z');
const SECONDS = OURS.getTime() / 1000;

function clockThatReads(...readings: readonly (number | null | Error)[]) {
  const skews: number[] = [];
  const queue = [...readings];
  let asked = 0;
  const readSeconds = async () => {
    asked += 1;
    const reading = queue.length > 1 ? queue.shift() : queue[0];
    if (reading instanceof Error) throw reading;
    return reading ?? null;
  };
  const clock = new VenueClock({ clock: { now: () => OURS }, readSeconds, reportSkew: (by) => skews.push(by) });
  return { clock, skews, asked: () => asked };
}

test('does not correct a clock that agrees to the second', async () => {
  const { clock, skews } = clockThatReads(Math.floor(SECONDS));
  expect(await clock.measure()).toBe(true);
  expect(clock.offsetMs).toBe(0);
  expect(clock.seconds()).toBe(Math.floor(SECONDS));
  expect(skews).toEqual([]);
});

test.each([
  ['ahead', 3600],
  ['behind', -3600],
  ['a little ahead', 3],
])('follows a venue that is %s, and reports it', async (_name, by) => {
  const { clock, skews } = clockThatReads(Math.floor(SECONDS) + by);
  await clock.measure();
  expect(Math.abs(clock.seconds() - (Math.floor(SECONDS) + by))).toBeLessThanOrEqual(1);
  expect(Math.abs(clock.offsetMs - by * 1000)).toBeLessThan(1000);
  expect(skews).toEqual([clock.offsetMs]);
});

test('a skew of up to two seconds is followed but not reported', async () => {
  const { clock, skews } = clockThatReads(Math.floor(SECONDS) + 2);
  await clock.measure();
  expect(clock.offsetMs).toBeGreaterThan(0);
  expect(skews).toEqual([]);
});

test('keeps its offset when the venue does not answer', async () => {
  const { clock } = clockThatReads(Math.floor(SECONDS) + 3600, null, new Error('gone'));
  await clock.measure();
  const known = clock.offsetMs;
  expect(await clock.measure()).toBe(false);
  expect(await clock.measure()).toBe(false);
  expect(clock.offsetMs).toBe(known);
});

test('the clock measures once for all callers, and not while still fresh', async () => {
  const { clock, asked } = clockThatReads(Math.floor(SECONDS) + 60);
  for (let i = 0; i < 10; i++) clock.seconds();
  await clock.measure();
  for (let i = 0; i < 10; i++) clock.seconds();
  expect(asked()).toBe(1);
  expect(clock.seconds()).toBeGreaterThan(SECONDS + 58);
});
