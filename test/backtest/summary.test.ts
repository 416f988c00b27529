import { describe, expect, it } from 'vitest';
import type { BacktestRun } from '../../src/backtest/backtest-run.js';
import { backtestResultOf } from '../../src/backtest/result.js';
import { summaryOf } from '../../src/backtest/summary.js';
import { aPlayedStrategy, aRun, aRunHeader, someBets } from '../support/backtest-runs.js';

const linesOf = (run: BacktestRun) => summaryOf(backtestResultOf(run)).split('\n');

/** A run of so many strategies, each with as many bets. */
const several = (count: number, bets: number) => {
  const names = Array.from({ length: count }, (_, at) => `Strategy ${at + 1}`);
  const each = names.map((name, at) =>
    aPlayedStrategy(name, someBets(bets, { seed: at + 1, edge: 0.08, strategy: name })),
  );
  const all = aPlayedStrategy(
    null,
    each.flatMap((one) => one.bets),
  );
  const header = aRunHeader({ strategies: names.map((name) => ({ name, rules: {} })) });
  return aRun(0, { header, played: [all, ...each] });
};

describe('the summary on a terminal', () => {
  it('of one strategy has its verdict in one row, and what it rests on below', () => {
    const lines = linesOf(aRun(400, { edge: 0.1 }));
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines[0]).toBe(`2026-03-01 11:00 to 2026-03-31 12:00 UTC, 1 tape, 640 markets, run 5f2d9a000000`);
    expect(lines[1]).toContain('books known for 98.2 % of the time, 3 gaps');
    expect(lines.filter((line) => line.startsWith('Home favourites  evidence'))).toHaveLength(1);
    expect(lines.join('\n')).toMatch(/^hit rate +[\d.]+ % \([\d.]+ % to [\d.]+ %\), breaks even at [\d.]+ %$/m);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
  });

  it('of several has a row for all and for each, in columns', () => {
    const lines = linesOf(several(3, 40));
    const table = lines.slice(3, 8);
    expect(table.map((line) => line.slice(0, 12))).toEqual([
      'strategy    ',
      'all together',
      'Strategy 1  ',
      'Strategy 2  ',
      'Strategy 3  ',
    ]);
    const [head = ''] = table;
    expect(
      new Set(
        table.slice(1).map((line) => (line.indexOf('not') === -1 ? head.indexOf('verdict') : line.indexOf('not'))),
      ),
    ).toEqual(new Set([head.indexOf('verdict')]));
  });

  it('stays within 40 lines for a hundred strategies', () => {
    const lines = linesOf(several(100, 2));
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines).toContain('88 more strategies: see --json or --out');
  });

  it('of a run without bets says so, and has no figure that does not exist', () => {
    const text = linesOf(aRun(0)).join('\n');
    expect(text).toMatch(/^Home favourites +not enough bets +0 +0 +0 +0\.00 +– +–$/m);
    expect(text).not.toMatch(/NaN|undefined|null|hit rate/);
  });

  it('ends with the warnings, the first five', () => {
    const warnings = Array.from({ length: 7 }, (_, at) => ({ code: 'late', detail: `Warning ${at + 1}.` }));
    expect(linesOf(aRun(3, { warnings })).slice(-6)).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => `warning: Warning ${at}.`),
      '2 more warnings: see --json or --out',
    ]);
  });

  it('says that a run was ended early', () => {
    expect(linesOf(aRun(3, { header: aRunHeader({ partial: true }) }))[0]).toMatch(/, ended early$/);
  });
});
