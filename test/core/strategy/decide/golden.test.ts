import { describe, expect, it } from 'vitest';
import type { BetDecision } from '../../../../src/core/strategy/decide/decide.js';
import { decideBet, skipCodeOf } from '../../../../src/core/strategy/decide/decide.js';
import { type GoldenDecision, goldenFile, inputsFrom } from './golden-file.js';

/** A decision as the golden file has it. */
function asWritten(made: BetDecision): GoldenDecision {
  if (made.verdict === 'skip') return made.code;
  const { price, size, shares, cost, odds, edge, boundBy } = made;
  const amounts = [price, size, shares, cost, odds].map(Number) as [number, number, number, number, number];
  return [0, ...amounts, edge === null ? null : Number(edge), boundBy];
}

describe('500 games, each decided by 60 rule sets', () => {
  const { games, sets, rows } = goldenFile();
  const inputsOf = games.map(inputsFrom);
  const methods = [...new Set(sets.map(({ sizing }) => sizing.method))];

  it.each(methods)('sized by %s match a script with exact fractions to the micro-dollar', (method) => {
    const differing: unknown[] = [];
    for (const [at, inputs] of inputsOf.entries()) {
      for (const [set, rules] of sets.entries()) {
        if (rules.sizing.method !== method) continue;
        const [wanted, decided] = [rows[at]?.[set], decideBet({ ...inputs, rules })];
        const [made, code] = [asWritten(decided), skipCodeOf({ ...inputs, rules })];
        if (JSON.stringify(wanted) !== JSON.stringify(made) || code !== decided.code)
          differing.push({ game: at, rules: set, wanted, made, code });
      }
    }
    expect(differing.slice(0, 7)).toEqual([]);
  });

  it('hold bets of every sizing method and bound by every cap', () => {
    expect([games.length, sets.length, rows.length]).toEqual([500, 60, 500]);
    const bets = rows.flatMap((row) => row.flatMap((made, set) => (typeof made === 'string' ? [] : [{ made, set }])));
    expect(bets.length).toBeGreaterThan(1000);
    expect(new Set(bets.map(({ set }) => sets[set]?.sizing.method)).size).toBe(7);
    expect(new Set(bets.map(({ set }) => sets[set]?.filter.side)).size).toBe(2);
    const bounds = [
      'method',
      'stake_cap',
      'bankroll',
      'event_loss_usdc',
      'account_exposure_usdc',
      'depth',
      'free_cash',
    ];
    expect([...new Set(bets.map(({ made }) => made[7]))].sort()).toEqual([...bounds, 'venue_maximum'].sort());
  });
});
