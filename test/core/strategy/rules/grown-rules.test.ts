import { describe, expect, it } from 'vitest';
import { RulesInvalid } from '../../../../src/core/errors.js';
import { completeRules, isGrown, sameRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import type { Rules, RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { checkAutomated } from '../../../../src/core/strategy/rules/rules-check.js';
import { price } from '../../../support/builders.js';
import { EVERYTHING } from '../../../support/grown-rules.js';

const flat = { method: 'flat', value: 10_000_000n } as const;
const given: RulesDraft = { match: {}, filter: {}, sizing: flat };
const grown = (changes: Partial<RulesDraft>): RulesDraft => ({ ...given, ...changes });
const complete = (changes: Partial<RulesDraft>): Rules => completeRules(grown(changes), 'soccer');

function fault(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof RulesInvalid) return `${error.member} ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('Rules that trade by themselves', () => {
  it('keep every member that was named, and no other', () => {
    const { match, filter, sizing, ...others } = EVERYTHING;
    expect(completeRules(EVERYTHING, 'soccer')).toEqual({
      version: 1,
      match: { sport: 'soccer', ...match },
      filter: { maxOdds: null, side: 'BACK', ...filter },
      sizing,
      ...others,
    });
  });

  it('are distinguished from older rules by each of these members', () => {
    const { match, filter, sizing, ...others } = EVERYTHING;
    const { minOdds, ...moreFilter } = filter;
    const one = (members: object) => Object.entries(members).map(([name, value]) => ({ [name]: value }));
    const named = [
      ...one(others),
      ...one(match).map((member) => ({ match: member })),
      ...one(moreFilter).map((member) => ({ filter: member })),
      { sizing },
    ];
    expect(named).toHaveLength(18);
    for (const changes of named) expect(isGrown(complete(changes)), Object.keys(changes).join()).toBe(true);
    expect(isGrown(complete({ filter: { minOdds: minOdds ?? 0n, side: 'LAY' }, match: { league: 'epl' } }))).toBe(
      false,
    );
  });

  it('are distinguished from older rules by a new sizing method', () => {
    for (const method of ['fixed_fraction', 'flat', 'kelly'] as const)
      expect(isGrown(complete({ sizing: { method, value: 1n } }))).toBe(false);
    for (const method of ['to_win', 'fixed_liability', 'edge_proportional', 'dutch'] as const)
      expect(isGrown(complete({ sizing: { method, value: 1n } }))).toBe(true);
  });

  it('treat a list of one as that one, and ignore duplicates', () => {
    expect(complete({ match: { market: ['total'], league: ['epl', 'epl'] } })).toEqual(
      complete({ match: { market: 'total', league: 'epl' } }),
    );
  });

  it('are equal in any member order, and unequal with any other value', () => {
    const rules = completeRules(EVERYTHING, 'soccer');
    const turned = Object.fromEntries(Object.entries(rules).reverse()) as unknown;
    expect(sameRules(rules, turned as Rules)).toBe(true);
    const { signal: _, ...less } = rules;
    expect(sameRules(rules, less)).toBe(false);
    expect(sameRules(rules, { ...rules, exit: { ...rules.exit, edgeBelow: 10_001n } })).toBe(false);
    expect(sameRules(rules, { ...rules, limits: { ...rules.limits, maxOpen: null } })).toBe(false);
  });

  it.each<[string, Partial<RulesDraft>]>([
    ['match/league must have 1 to 100 entries; got 0', { match: { league: [] } }],
    ['match/events must have 1 to 100 entries; got 101', { match: { events: Array(101).fill('e') } }],
    [
      'outcome/favourite_rank must be 1 for the favourite, 2 for the next, and so on',
      { outcome: { favouriteRank: 0 } },
    ],
    [
      'outcome must be "each" for dutch: it divides the stake among the outcomes',
      {
        outcome: { role: 'home' },
        sizing: { method: 'dutch', value: 1n },
      },
    ],
    ['filter/side must be BACK for dutch', { filter: { side: 'LAY' }, sizing: { method: 'dutch', value: 1n } }],
    [
      'sizing/value must be from 0 to 1 for edge_proportional: it is a fraction; got 1.1',
      {
        sizing: { method: 'edge_proportional', value: 1_100_000n },
      },
    ],
    ['sizing/reference_edge is for edge_proportional alone', { sizing: { ...flat, referenceEdge: 1n } }],
    [
      'sizing/reference_edge must be greater than 0',
      {
        sizing: { method: 'edge_proportional', value: 1n, referenceEdge: 0n },
      },
    ],
    ['filter/max_spread must be below 1; got 1', { filter: { maxSpread: (price('0.5') + price('0.5')) as never } }],
    ['order/max_slippage must be below 1; got 1', { order: { maxSlippage: 1_000_000n as never } }],
    ['window/from must be before window/to', { window: { fromMs: -1000, toMs: -1000 } }],
    [
      'limits/max_bets_per_day must be a whole number from 1 to 1000000, or null for no limit',
      {
        limits: { maxBetsPerDay: 0 },
      },
    ],
    ['limits/max_open must be a whole number from 1 to 1000000, or null for no limit', { limits: { maxOpen: 1.5 } }],
    ['exit/take_profit/gain must be greater than 0', { exit: { takeProfit: { gain: 0n } } }],
    ['exit/stop/loss must be below 1; got 1', { exit: { stop: { loss: 1_000_000n } } }],
    [
      'exit/take_profit/price must be above exit/stop/price, which is 0.6',
      {
        exit: { takeProfit: { price: price('0.6') }, stop: { price: price('0.6') } },
      },
    ],
  ])('are refused: %s', (words, changes) => {
    expect(fault(() => complete(changes))).toBe(words);
  });

  it.each<[string, Partial<RulesDraft>]>([
    ['outcome is required: a strategy that trades by itself has to name what it bets on', {}],
    [
      'signal is required: it names the signal that gives the probability for kelly',
      {
        outcome: 'each',
        sizing: { method: 'kelly', value: 1n },
      },
    ],
    [
      'signal is required: it names the signal that gives the probability for filter/min_edge',
      {
        outcome: 'each',
        filter: { minEdge: 0n },
      },
    ],
    [
      'signal is required: it names the signal that gives the probability for exit/edge_below',
      {
        outcome: 'each',
        exit: { edgeBelow: 0n },
      },
    ],
    ['none', { outcome: 'each', filter: { minEdge: null } }],
    ['none', { outcome: { index: 0 }, sizing: { method: 'kelly', value: 1n }, signal: { name: 'm', required: true } }],
  ])('need what they trade by: %s', (words, changes) => {
    expect(fault(() => checkAutomated(complete(changes)))).toBe(words);
  });
});
