import { describe, expect, it } from 'vitest';
import { readSweepPlan, type SweepPlan, sweepPlanOf } from '../../src/sweep/plan.js';
import { variantsOf } from '../../src/sweep/variants.js';
import { aPlan } from '../support/sweeps.js';

const planOf = (changes: Readonly<Record<string, unknown>> = {}): SweepPlan =>
  sweepPlanOf(aPlan(changes), 'p.json', '/plans');
const refusalOf = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
};
const WINDOW = {
  name: 'a',
  train: { from: '2026-03-01', to: '2026-04-01' },
  test: { from: '2026-04-01', to: '2026-05-01' },
};

describe('a plan', () => {
  it('has defaults, and paths that begin at its folder', () => {
    expect(planOf({ signals: '/elsewhere/elo.csv' })).toMatchObject({
      tapes: ['/plans/season.jsonl'],
      signals: '/elsewhere/elo.csv',
      objective: 'yield_z',
      budget: 200,
      group: 50,
      windows: null,
      latencyMs: 150,
    });
  });

  it('takes days and moments for the ends of windows', () => {
    const test = { from: '2026-04-01T02:00:00+02:00', to: '2026-05-01' };
    const [march, april, may] = [3, 4, 5].map((month) => Date.UTC(2026, month - 1, 1));
    expect(planOf({ windows: [{ ...WINDOW, test }] }).windows).toEqual([
      { name: 'a', train: { from: march, to: april }, test: { from: april, to: may } },
    ]);
  });

  it.each([
    ['/base must be an object', { base: [] }],
    ['/grid must', { grid: [] }],
    ['/grid/~1stake_cap must have a value', { grid: { '/stake_cap': [] } }],
    ['/tapes must name a tape', { tapes: [] }],
    ['/objective must be one of yield_z, yield, profit_usdc, clv_net', { objective: 'luck' }],
    ['/random/n must be a whole number', { random: { n: 0.5 } }],
    ['/budjet is not a member of a plan', { budjet: 3 }],
    [
      '/windows/0/train must end after it begins',
      { windows: [{ ...WINDOW, train: { from: '2026-04-01', to: '2026-03-01' } }] },
    ],
    ['/windows/0/test/to must be a moment', { windows: [{ ...WINDOW, test: { from: '2026-04-01', to: 'May' } }] }],
    ['/windows/0 must begin its test', { windows: [{ ...WINDOW, train: { from: '2026-03-01', to: '2026-04-02' } }] }],
    ['/windows must have windows of different names', { windows: [WINDOW, WINDOW] }],
    ['/windows/rolling/test_days must be a whole number', { windows: { rolling: { train_days: 3, test_days: -1 } } }],
  ])('is refused with %s', (words, changes) => {
    expect(refusalOf(() => planOf(changes))).toContain(`p.json: ${words}`);
  });

  it('that is no JSON names its file', () => {
    expect(refusalOf(() => readSweepPlan('{', 'sweeps/p.json'))).toContain('sweeps/p.json is not JSON');
  });
});

describe('variants', () => {
  const variants = (changes: Readonly<Record<string, unknown>>) => variantsOf(planOf(changes), 'p.json');

  it('are the product of the grid, named by their values', () => {
    const made = variants({ grid: { '/rules/filter/min_odds': [1.5, 2], '/stake_cap': [20, 50] } });
    expect(made.map(({ name }) => name)).toEqual([
      'homes min_odds=1.5 stake_cap=20',
      'homes min_odds=1.5 stake_cap=50',
      'homes min_odds=2 stake_cap=20',
      'homes min_odds=2 stake_cap=50',
    ]);
    expect(made[1]?.body).toMatchObject({ stake_cap: 50, rules: { filter: { min_odds: 1.5 }, outcome: { index: 0 } } });
  });

  it('have longer names where two pointers end alike, and numbers where too long', () => {
    const alike = { '/rules/exit/stop/loss': ['0.1'], '/rules/limits/loss': [5] };
    expect(variants({ grid: alike })[0]?.name).toBe('homes stop.loss=0.1 limits.loss=5');
    const long = { '/rules/filter/min_odds': [1.5, 2], '/note': ['x'.repeat(90)] };
    expect(variants({ grid: long }).map(({ name }) => name)).toEqual(['homes #1', 'homes #2']);
  });

  it('are drawn without repetition, the same by the same seed', () => {
    const grid = { '/stake_cap': Array.from({ length: 30 }, (_, n) => n + 1), '/bankroll_cap': [100, 200, 300] };
    const draw = (n: number, seed: string) => variants({ grid, random: { n, seed } }).map(({ name }) => name);
    expect(draw(20, 'a')).toEqual(draw(20, 'a'));
    expect(draw(20, 'a')).not.toEqual(draw(20, 'b'));
    expect(new Set(draw(90, 'a')).size).toBe(90);
    expect(draw(90, 'a')).toEqual(variants({ grid }).map(({ name }) => name));
  });

  it.each([
    [
      '/grid makes 300 variants, and /budget is 200',
      { grid: { '/stake_cap': Array.from({ length: 300 }, (_, n) => n) } },
    ],
    [
      '/random/n makes 5 variants, and /budget is 4',
      { grid: { '/a': [1, 2, 3, 4, 5, 6] }, random: { n: 5 }, budget: 4 },
    ],
    ['/grid/min_odds is not a JSON pointer', { grid: { min_odds: [1] } }],
    ['/grid/~1name would change the name', { grid: { '/name': ['a'] } }],
    ['/grid/~1stake_cap has 5 twice', { grid: { '/stake_cap': [5, 5] } }],
    [
      '/grid/~1rules~1filter~1min_odds is within /rules/filter',
      { grid: { '/rules/filter': [{}], '/rules/filter/min_odds': [2] } },
    ],
    ['/grid/~1stake_cap~1usdc has no place in /base', { grid: { '/stake_cap/usdc': [2] } }],
    ['/grid/~1__proto__ names no member', { grid: { '/__proto__': [2] } }],
  ])('are refused with %s', (words, changes) => {
    expect(refusalOf(() => variants(changes))).toContain(`p.json: ${words}`);
  });
});
