import { describe, expect, it } from 'vitest';
import { warningsOf } from '../../../../src/core/strategy/explain/warnings.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { createStrategy, type StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import { ALICE, aDraft, NOON, newStrategyId, usdc } from '../../../support/builders.js';

const SPORTS = ['soccer', 'tennis'];
const VALUE = '/rules/sizing/value';
const MATCH = '/rules/match/sport';

function warned(changes: Partial<StrategyDraft>, sports: readonly string[] | null = SPORTS): string[] {
  const strategy = createStrategy(newStrategyId(), ALICE, aDraft(changes), new Date(NOON));
  return warningsOf(strategy, sports).map(({ pointer, detail }) => `${pointer} ${detail}`);
}

const rules = (changes: Partial<RulesDraft>) => ({ rules: { ...aDraft().rules, ...changes } });
const sized = (method: RulesDraft['sizing']['method'], value: string) =>
  rules({ sizing: { method, value: usdc(value) } });

it.each<[string, NonNullable<RulesDraft['outcome']>, boolean, number]>([
  ['of both outcomes, where a venue nets', 'each', true, 1],
  ['of a rank, where a venue nets', { favouriteRank: 1 }, true, 1],
  ['of one outcome, where a venue nets', { index: 0 }, true, 0],
  ['of both outcomes, where none nets', 'each', false, 0],
])('A strategy %s gets so many warnings of net positions', (_words, outcome, nets, count) => {
  const strategy = createStrategy(newStrategyId(), ALICE, aDraft(rules({ outcome })), new Date(NOON));
  const found = warningsOf(strategy, null, { nets }).filter(({ detail }) => detail.includes('other_outcome_held'));
  expect(found).toHaveLength(count);
});

it('A strategy gets a warning of a venue that is not here, and none of one that is, or of any', () => {
  const warnings = (venue: string | string[] | undefined) => {
    const match = { ...aDraft().rules.match, ...(venue !== undefined && { venue }) };
    const strategy = createStrategy(newStrategyId(), ALICE, aDraft(rules({ match })), new Date(NOON));
    const found = warningsOf(strategy, null, { venues: ['here', 'there'] });
    return found.flatMap(({ pointer, detail }) => (pointer === '/rules/match/venue' ? [detail] : []));
  };
  expect(warnings(['here', 'elsewhere'])).toEqual(['no venue here is called elsewhere; known are here, there']);
  for (const venue of ['there', 'any', undefined]) expect(warnings(venue)).toEqual([]);
});

describe('A strategy gets a warning', () => {
  it.each<[Partial<StrategyDraft>, string]>([
    [{ stakeCap: usdc('100.5') }, '/stake_cap is 100.5, above the bankroll_cap of 100: no stake can come near it'],
    [sized('flat', '0'), `${VALUE} is 0, so every stake is 0 and no bet is made`],
    [sized('kelly', '0'), `${VALUE} is 0, so every stake is 0 and no bet is made`],
    [sized('fixed_fraction', '1'), `${VALUE} is 1, so one bet stakes the whole free bankroll`],
    [sized('flat', '51'), `${VALUE} is 51, above the stake_cap of 50: bets are made smaller`],
    [
      rules({ filter: { minOdds: 2_000_000n, maxOdds: 2_000_000n } }),
      '/rules/filter/min_odds is max_odds, so only odds of exactly 2 match',
    ],
    [
      rules({ filter: { minOdds: 1_000_000_000_001n } }),
      '/rules/filter/min_odds is 1000000.000001, and nothing matches: the lowest price, 0.000001, has odds of 1000000',
    ],
    [rules({ match: { sport: 'tennis' } }), `${MATCH} is tennis, while the sport of the strategy is soccer`],
    [{ sport: 'football' }, '/sport no known market has the sport football; known are soccer, tennis'],
    [rules({ match: { league: 'epl ' } }), '/rules/match/league begins or ends with a blank, as no market does'],
  ])('and one only: %#', (changes, warning) => {
    expect(warned(changes)).toEqual([warning]);
  });

  it('for each thing that is odd, in the order of its members', () => {
    const odd = { sport: ' soccer', stakeCap: usdc('200'), ...rules({ match: { sport: 'chess' } }) };
    const pointers = warned(odd).map((line) => line.split(' ')[0]);
    expect(pointers).toEqual(['/sport', MATCH, MATCH, '/sport', '/stake_cap']);
    const large = warned({ ...sized('flat', '101') });
    expect(large).toEqual([
      `${VALUE} is 101, above the stake_cap of 50: bets are made smaller`,
      `${VALUE} is 101, above the bankroll_cap of 100: bets are made smaller`,
    ]);
  });
});

describe('A strategy gets no warning', () => {
  it.each<[string, Partial<StrategyDraft>]>([
    ['as a newcomer writes one', {}],
    ['with caps that are equal', { stakeCap: usdc('100') }],
    ['with a flat stake at the cap', sized('flat', '50')],
    ['with full Kelly', sized('kelly', '1')],
    ['with odds of every length', rules({ filter: { minOdds: 1_000_001n, maxOdds: 1_000_000_000_000n } })],
    ['whose sport is written in another case', { sport: 'Soccer', ...rules({ match: { sport: 'soccer' } }) }],
  ])('%s', (_, changes) => {
    expect(warned(changes)).toEqual([]);
  });

  it('for a sport while the known sports cannot be read', () => {
    expect(warned({ sport: 'football' }, null)).toEqual([]);
  });
});
