import { describe, expect, it } from 'vitest';
import { type YieldRow, yieldDifferenceText } from '../../src/report/plots.js';

const row = (name: string, changes: Partial<YieldRow> = {}): YieldRow => ({
  name,
  bets: 400,
  value: 0.02,
  interval: [-0.01, 0.05],
  profit: 10,
  ...changes,
});

describe('Two yields side by side', () => {
  it('differ by chance while the interval of the difference has zero in it', () => {
    expect(yieldDifferenceText(row('A'), row('B', { value: 0, interval: [-0.04, 0.04] }))).toBe(
      'The yield of A less that of B is 2.0 points, 95 % interval −3.0 to 7.0: chance explains it.',
    );
  });

  it('differ by more than chance beyond it', () => {
    expect(yieldDifferenceText(row('A', { value: -0.06, interval: [-0.09, -0.03] }), row('B'))).toMatch(
      /is −8\.0 points, 95 % interval −12\.2 to −3\.8: more than chance explains\.$/,
    );
  });

  it('prove nothing by few bets, or where no event has settled', () => {
    expect(yieldDifferenceText(row('A', { bets: 29, value: 0.9 }), row('B'))).toMatch(
      /: fewer than 30 bets prove nothing\.$/,
    );
    expect(yieldDifferenceText(row('A', { interval: null }), row('B'))).toMatch(/^Too few events have settled/);
  });
});
