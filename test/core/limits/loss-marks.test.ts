import { describe, expect, it } from 'vitest';
import { lostSince, measured, UNMEASURED } from '../../../src/core/limits/counted.js';
import { usdc } from '../../support/builders.js';

const LIMITS = { drawdownUsdc: null };

describe('What the losses of days are measured from', () => {
  it('is the start of each day, even after clock errors', () => {
    const starts = [
      ['2026-03-01', '5'],
      ['2026-04-01', '9'],
      ['2026-03-01', '2'],
      ['2026-03-02', '1'],
      ['2026-03-01', '0'],
    ] as const;
    const marks = starts.reduce((before, [day, gain]) => measured(before, usdc(gain), day, LIMITS), UNMEASURED);
    const lost = (day: string) => lostSince(marks, day, 0n as ReturnType<typeof usdc>).dailyLossUsdc;
    expect(['2026-03-01', '2026-03-02', '2026-04-01', '2026-03-03'].map(lost)).toEqual([
      usdc('5'),
      usdc('1'),
      usdc('9'),
      0n,
    ]);
    // A fourth day takes the place of the one that was written first.
    expect(measured(marks, usdc('0'), '2026-03-03', LIMITS).days.map(({ day }) => day)).toEqual([
      '2026-04-01',
      '2026-03-02',
      '2026-03-03',
    ]);
  });
});
