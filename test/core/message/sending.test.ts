import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counting, NOTHING_HAPPENED, summaryLines } from '../../../src/core/message/day-summary.js';
import { dueAt, isQuiet } from '../../../src/core/message/mailbox.js';
import { fitText } from '../../../src/core/message/message-text.js';
import { usdc } from '../../support/builders.js';
import { runs } from '../../support/runs.js';
import { anAlarm, arsenal, filled, happened } from './news-builders.js';

const units = (most: number) => ({ most, sizeOf: (text: string) => text.length });
const bytes = (most: number) => ({ most, sizeOf: (text: string) => Buffer.byteLength(text) });

describe('a text', () => {
  test('within the limit is whole', () => {
    expect(fitText(['one', 'two'], 0, units(7))).toBe('one\ntwo');
  });

  test('beyond the limit ends with the count of all missing lines', () => {
    const lines = Array.from({ length: 20 }, (_, n) => `line ${n}`);
    expect(fitText(lines, 3, units(30))).toBe('line 0\nline 1\nand 21 more');
  });

  test('of one line that is too long is cut', () => {
    expect(fitText(['x'.repeat(100)], 0, units(10))).toBe(`${'x'.repeat(9)}…`);
  });

  test('always fits, in characters and in bytes, and accounts for every line', () => {
    const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => text.replaceAll('\n', ' '));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.nat(50),
        fc.integer({ min: 40, max: 400 }),
        (lines, beyond, most) => {
          for (const limit of [units(most), bytes(most)]) {
            const text = fitText(lines, beyond, limit);
            expect(limit.sizeOf(text)).toBeLessThanOrEqual(most);
            expect(text.isWellFormed()).toBe(true);
            const rest = /(?:^|\n)and (\d+) more$/.exec(text);
            const shown = text.split('\n').length - (rest === null ? 0 : 1);
            expect(shown + Number(rest?.[1] ?? 0)).toBe(lines.length + beyond);
          }
        },
      ),
      { numRuns: runs(20) },
    );
  });
});

describe('quiet hours', () => {
  test('go over midnight where they begin later than they end', () => {
    const night = { from: '22:00', to: '07:00' };
    expect(['21:59', '22:00', '00:00', '06:59', '07:00'].map((time) => isQuiet(night, time))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    const lunch = { from: '12:00', to: '13:00' };
    expect(['11:59', '12:00', '12:59', '13:00'].map((time) => isQuiet(lunch, time))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe('a message', () => {
  const pacing = { sentAt: null, notBefore: 0, gatherMs: 20_000 };

  test('is sent after a quiet interval, or three intervals at the latest', () => {
    expect(dueAt({ first: 0, last: 0 }, false, pacing)).toBe(20_000);
    expect(dueAt({ first: 0, last: 30_000 }, false, pacing)).toBe(50_000);
    expect(dueAt({ first: 0, last: 57_000 }, false, pacing)).toBe(60_000);
  });

  test('that is urgent is sent at once, but three seconds after another', () => {
    expect(dueAt({ first: 1000, last: 9000 }, true, pacing)).toBe(1000);
    expect(dueAt({ first: 1000, last: 1000 }, true, { ...pacing, sentAt: 500 })).toBe(3500);
    expect(dueAt({ first: 1000, last: 1000 }, true, { ...pacing, notBefore: 42_000 })).toBe(42_000);
  });
});

describe('the daily summary', () => {
  const state = {
    money: 'paper',
    equity: usdc('1012.345'),
    positions: 2,
    exposure: usdc('40'),
    profit: usdc('12.345'),
  } as const;

  test('covers paper and live separately, with events and alarms since the last', () => {
    const fill = filled(arsenal());
    const counts = [fill, fill, happened('alarm.raised', { kind: 'alarm', alarm: anAlarm() })].reduce(
      counting,
      NOTHING_HAPPENED,
    );
    expect(summaryLines({ day: '2026-12-05', counts, paper: state, live: null, alarms: [] })).toEqual([
      'Daily summary, 2026-12-05',
      'Paper: profit +12.34 USDC, equity 1,012.34 USDC. 2 fills, 0 orders settled. 2 open positions, 40.00 USDC at risk.',
      '1 alarm raised, all of them over.',
    ]);
  });

  test('calls the money of a demo play money', () => {
    const live = { ...state, money: 'play money' } as const;
    const [, line] = summaryLines({ day: '2026-12-05', counts: NOTHING_HAPPENED, paper: null, live, alarms: [] });
    expect(line).toMatch(/^Play money: profit /);
  });

  test('says so where nothing happened, and names alarms that are raised', () => {
    const quiet = { day: '2026-12-05', counts: NOTHING_HAPPENED, paper: null, live: null };
    expect(summaryLines({ ...quiet, alarms: [] })).toEqual([
      'Daily summary, 2026-12-05',
      'Nothing was ever traded.',
      'No alarms.',
    ]);
    expect(summaryLines({ ...quiet, alarms: [anAlarm()] }).at(-1)).toContain('ALARMS now: Market data is silent.');
  });
});
