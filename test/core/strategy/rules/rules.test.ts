import { describe, expect, it } from 'vitest';
import { RulesInvalid } from '../../../../src/core/errors.js';
import { completeRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';

const flat = { method: 'flat', value: 10_000_000n } as const;

function draft(changes: Partial<RulesDraft> = {}): RulesDraft {
  return { match: {}, filter: {}, sizing: flat, ...changes };
}

function refusedMember(changes: Partial<RulesDraft>): string {
  try {
    completeRules(draft(changes), 'soccer');
  } catch (error) {
    if (error instanceof RulesInvalid) return error.member;
  }
  throw new Error('the rules were not refused');
}

describe('Rules', () => {
  it('default to the sport of their strategy, BACK and no restriction', () => {
    expect(completeRules(draft(), 'soccer')).toEqual({
      version: 1,
      match: { sport: 'soccer', market: null, league: null },
      filter: { minOdds: null, maxOdds: null, side: 'BACK' },
      sizing: flat,
    });
  });

  it('keep all that is said', () => {
    const said = {
      match: { sport: 'tennis', market: 'spread', league: 'ATP' },
      filter: { minOdds: 1_500_000n, maxOdds: 3_000_000n, side: 'LAY' },
      sizing: { method: 'kelly', value: 250_000n },
    } as const;
    expect(completeRules(said, 'soccer')).toEqual({ version: 1, ...said });
  });

  it('refuse odds of 1 or less, which pay back the stake alone', () => {
    expect(refusedMember({ filter: { minOdds: 1_000_000n } })).toBe('filter/min_odds');
    expect(refusedMember({ filter: { maxOdds: 1_000_000n } })).toBe('filter/max_odds');
    expect(refusedMember({ filter: { maxOdds: 0n } })).toBe('filter/max_odds');
    expect(completeRules(draft({ filter: { minOdds: 1_000_001n } }), 'soccer').filter.minOdds).toBe(1_000_001n);
  });

  it('refuse bounds that cross, and allow bounds that meet', () => {
    expect(refusedMember({ filter: { minOdds: 2_000_001n, maxOdds: 2_000_000n } })).toBe('filter/min_odds');
    const met = draft({ filter: { minOdds: 2_000_000n, maxOdds: 2_000_000n } });
    expect(completeRules(met, 'soccer').filter.minOdds).toBe(2_000_000n);
  });

  it.each(['fixed_fraction', 'kelly'] as const)('refuse a %s above the whole', (method) => {
    expect(refusedMember({ sizing: { method, value: 1_000_001n } })).toBe('sizing/value');
    expect(completeRules(draft({ sizing: { method, value: 1_000_000n } }), 'soccer').sizing.value).toBe(1_000_000n);
    expect(completeRules(draft({ sizing: { method, value: 0n } }), 'soccer').sizing.value).toBe(0n);
  });

  it('take any flat stake: it is dollars, not a fraction', () => {
    const large = draft({ sizing: { method: 'flat', value: 5_000_000_000n } });
    expect(completeRules(large, 'soccer').sizing.value).toBe(5_000_000_000n);
  });
});
