import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../../src/server/settings/duration.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('a duration', () => {
  it.each([
    ['1s', 1000],
    ['30s', 30_000],
    ['30m', HOUR / 2],
    ['12h', 12 * HOUR],
    ['90d', 90 * DAY],
    ['3650d', 3650 * DAY],
    ['87600h', 3650 * DAY],
    ['315360000s', 3650 * DAY],
  ])('%s is %i milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['3651d', '87601h', '315360001s', '999999999d'])('%s is longer than ten years', (text) => {
    expect(() => parseDuration(text)).toThrow(RangeError);
  });

  it.each([
    '',
    '0s',
    '00s',
    '030s',
    '-1s',
    '+1s',
    '1.5h',
    '1e3s',
    '30',
    's',
    '30M',
    '1w',
    '1y',
    '30S',
    ' 30s',
    '30s ',
    '30 s',
    '30s\n',
    '1h30s',
    '٣s',
    '9999999999s',
    '__proto__',
    'Infinityd',
  ])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow(
      /must be a whole number of seconds, minutes, hours or days such as 30s, 15m, 12h or 90d/,
    );
  });

  it('is above zero and at most ten years for any accepted text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^\d{1,12}[smhd]$/)), (text) => {
        const milliseconds = accepted(text);
        if (milliseconds === undefined) return;
        expect(milliseconds).toBeGreaterThan(0);
        expect(milliseconds).toBeLessThanOrEqual(3650 * DAY);
      }),
    );
  });
});

function accepted(text: string): number | undefined {
  try {
    return parseDuration(text);
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return undefined;
  }
}
