import { describe, expect, it } from 'vitest';
import { foldedDecisions, repeatText } from '../../../../src/core/strategy/record/listed-decisions.js';

const at = (minute: number) => `2026-03-01T12:${`${minute}`.padStart(2, '0')}:00.000Z`;
const listed = (minute: number, code: string | null, market_id = 'a') => ({
  at: at(minute),
  verdict: code === null ? ('bet' as const) : ('skip' as const),
  code,
  venue: 'none',
  market_id,
  token: 'YES',
});
const shown = (...decisions: Parameters<typeof foldedDecisions>[0]) =>
  foldedDecisions(decisions).map((row) => {
    const { market_id: market, code } = row.decision;
    return [market, code ?? 'bet', repeatText(row) ?? 'once'].join(': ');
  });

describe('A list of decisions', () => {
  it('folds skips of one outcome for one reason, though others lie between', () => {
    const rows = shown(listed(4, 'x'), listed(3, 'y', 'b'), listed(2, 'x'), listed(1, 'y', 'b'), listed(0, 'x'));
    expect(rows).toEqual(['a: x: the same for 4 minutes, 3 times', 'b: y: the same for 2 minutes, 2 times']);
  });

  it('shows another reason, and every bet, in a row of its own', () => {
    expect(shown(listed(4, 'x'), listed(3, 'y'), listed(2, 'x'))).toEqual(['a: x: once', 'a: y: once', 'a: x: once']);
    expect(shown(listed(4, null), listed(3, null))).toEqual(['a: bet: once', 'a: bet: once']);
    expect(shown(listed(4, 'x'), listed(3, null), listed(2, 'x'))).toEqual([
      'a: x: once',
      'a: bet: once',
      'a: x: once',
    ]);
  });

  it('shows a bet that was asked for and then ordered as one row', () => {
    const asked = { ...listed(3, null), approval_id: 'one' };
    expect(shown({ ...asked, at: at(4) }, asked, { ...asked, approval_id: 'other' })).toEqual([
      'a: bet: once',
      'a: bet: once',
    ]);
  });

  it('counts what was repeated within a minute, and in hours after two', () => {
    expect(shown(listed(1, 'x'), listed(1, 'x'))).toEqual(['a: x: the same 2 times within a minute']);
    const night = { ...listed(0, 'x'), at: '2026-03-01T02:30:00.000Z' };
    expect(shown(listed(0, 'x'), night)).toEqual(['a: x: the same for 9 hours, 2 times']);
  });
});
