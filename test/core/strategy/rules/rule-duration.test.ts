import { describe, expect, it } from 'vitest';
import { readDuration, readOffset, writeDuration } from '../../../../src/core/strategy/rules/rule-duration.js';

describe('A duration of a rule', () => {
  it.each([
    ['0s', 0],
    ['30s', 30_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['3650d', 315_360_000_000],
  ])('is read and written: %s', (text, ms) => {
    expect([readDuration(text), writeDuration(ms)]).toEqual([ms, text]);
  });

  it('is written in the largest unit that fits', () => {
    expect([90, 120, 86_400, -86_400, -0].map((seconds) => writeDuration(seconds * 1000))).toEqual([
      '90s',
      '2m',
      '1d',
      '-1d',
      '0s',
    ]);
  });

  it.each(['', '5', '5w', '-5m', '05m', '1.5h', '1e3s', '3651d', '9999999999s', ' 5m', '5m '])('is not %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  it('before a start has a minus', () => {
    expect(['-24h', '-0s', '10m', '--5m', '-'].map(readOffset)).toEqual([
      -86_400_000,
      0,
      600_000,
      undefined,
      undefined,
    ]);
  });
});
