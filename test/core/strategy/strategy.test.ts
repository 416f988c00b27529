import { describe, expect, it } from 'vitest';
import { RulesInvalid } from '../../../src/core/errors.js';
import {
  archiveStrategy,
  changeStrategy,
  completeDraft,
  createStrategy,
  type StrategyPatch,
} from '../../../src/core/strategy/strategy.js';
import { ALICE, aDraft, aStrategy, NOON, newStrategyId, usdc } from '../../support/builders.js';

const LATER = new Date('2026-03-01T13:00:00.000Z');

describe('A strategy', () => {
  it('starts as version 1, running, and on paper only', () => {
    const made = createStrategy(newStrategyId(), ALICE, aDraft(), new Date(NOON));
    expect(made).toMatchObject({ version: 1, isPaused: false, paperOnly: true, archivedAt: null });
    expect(made.createdAt).toEqual(new Date(NOON));
    expect(made.updatedAt).toEqual(new Date(NOON));
  });

  it('starts as its draft says when the draft says otherwise', () => {
    const draft = aDraft({ isPaused: true, paperOnly: false });
    expect(createStrategy(newStrategyId(), ALICE, draft, new Date(NOON))).toMatchObject({
      isPaused: true,
      paperOnly: false,
    });
  });

  it('means the same whether a default is said or left out', () => {
    const said = aDraft({ isPaused: false, paperOnly: true });
    const rules = { ...said.rules, match: { sport: 'soccer' }, filter: { side: 'BACK' } } as const;
    expect(completeDraft({ ...said, rules })).toEqual(completeDraft(aDraft()));
  });

  const rules = aDraft().rules;
  const changes: [string, StrategyPatch][] = [
    ['name', { name: 'Away favourites' }],
    ['bankroll cap', { bankrollCap: usdc('200') }],
    ['stake cap', { stakeCap: usdc('5') }],
    ['pause', { isPaused: true }],
    ['paper wall', { paperOnly: false }],
    ['sport to match', { rules: { ...rules, match: { sport: 'tennis' } } }],
    ['market to match', { rules: { ...rules, match: { market: 'total' } } }],
    ['league to match', { rules: { ...rules, match: { league: 'EPL' } } }],
    ['lowest odds', { rules: { ...rules, filter: { minOdds: 1_200_000n } } }],
    ['highest odds', { rules: { ...rules, filter: { maxOdds: 9_000_000n } } }],
    ['side', { rules: { ...rules, filter: { side: 'LAY' } } }],
    ['sizing method', { rules: { ...rules, sizing: { method: 'kelly', value: 1n } } }],
    ['sizing value', { rules: { ...rules, sizing: { method: 'flat', value: usdc('11') } } }],
  ];

  it.each(changes)('has exactly one version more after a change of its %s', (_, patch) => {
    const strategy = aStrategy();
    const next = changeStrategy(strategy, patch, LATER);
    expect(next.version).toBe(2);
    expect(next.updatedAt).toEqual(LATER);
    expect(next.createdAt).toEqual(strategy.createdAt);
    expect({ ...next, ...patch, rules: null }).toEqual({ ...next, rules: null });
    expect(changeStrategy(next, patch, LATER)).toBe(next);
  });

  it('is the very same after a change that changes nothing', () => {
    const strategy = aStrategy();
    const { name, bankrollCap, stakeCap, isPaused, paperOnly } = strategy;
    const same = { name, bankrollCap, stakeCap, isPaused, paperOnly, rules: aDraft().rules };
    expect(changeStrategy(strategy, same, LATER)).toBe(strategy);
    expect(changeStrategy(strategy, {}, LATER)).toBe(strategy);
  });

  it('matches its own sport when new rules name none', () => {
    const changed = changeStrategy(aStrategy({ sport: 'tennis' }), { rules }, LATER);
    expect(changed.rules.match.sport).toBe('tennis');
  });

  it('stays as it is when the new rules are invalid', () => {
    const wrong = { rules: { ...rules, filter: { minOdds: 1n } } };
    expect(() => changeStrategy(aStrategy(), wrong, LATER)).toThrow(RulesInvalid);
  });

  it('gets one last version when it is archived, with the moment', () => {
    const strategy = aStrategy({ version: 4 });
    expect(archiveStrategy(strategy, LATER)).toEqual({ ...strategy, version: 5, updatedAt: LATER, archivedAt: LATER });
  });
});
