import { describe, expect, it } from 'vitest';
import { completeRules } from '../../../../src/core/strategy/rules/complete-rules.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import type { Automation } from '../../../../src/core/strategy/rules/trading-rules.js';
import { tradingRules } from '../../../../src/core/strategy/rules/trading-rules.js';
import { usdc } from '../../../support/builders.js';

const tradedBy = (automation: Automation, changes: Partial<RulesDraft> = {}) => {
  const draft = { match: {}, filter: {}, sizing: { method: 'flat', value: usdc('10') }, ...changes } as const;
  return tradingRules({ rules: completeRules(draft, 'soccer'), automation, bankrollCap: usdc('1000') });
};

describe('The rules that a strategy trades by', () => {
  it('have every default', () => {
    expect(tradedBy('auto', { outcome: 'each' })).toEqual({
      match: { sport: 'soccer', market: null, league: null, venue: null, events: null, text: null },
      outcome: 'each',
      window: { fromMs: null, toMs: null },
      phase: 'pre',
      filter: {
        minOdds: null,
        maxOdds: null,
        side: 'BACK',
        minEdge: null,
        maxSpread: 50_000n,
        minLiquidity: null,
        maxDrift: null,
        maxBookAgeMs: null,
        maxOverround: null,
      },
      sizing: { method: 'flat', value: usdc('10'), referenceEdge: 100_000n },
      limits: {
        maxBetsPerOutcome: 1,
        maxBetsPerMarket: null,
        maxBetsPerEvent: null,
        maxBetsPerDay: 100,
        maxOpen: null,
        cooldownMs: 300_000,
        eventLoss: usdc('50'),
        dailyLoss: usdc('100'),
      },
      order: { timeInForce: 'FAK', giveUpAfterMs: 60_000, maxSlippage: 20_000n, approveWithinMs: null },
      exit: null,
      signal: null,
    });
  });

  it('have the bounds of automation only where the strategy is automated', () => {
    const { filter, limits } = tradedBy('off');
    expect([filter.maxSpread, limits.maxBetsPerDay, limits.eventLoss, limits.dailyLoss]).toEqual([
      null,
      null,
      null,
      null,
    ]);
    expect(tradedBy('approve').limits).toEqual(tradedBy('auto').limits);
  });

  it('are loosened by naming a bound, and only that one', () => {
    const named = { filter: { maxSpread: null }, limits: { maxBetsPerDay: null, eventLoss: usdc('200') } };
    const { filter, limits } = tradedBy('auto', named);
    expect([filter.maxSpread, limits.maxBetsPerDay, limits.eventLoss]).toEqual([null, null, usdc('200')]);
    expect([limits.dailyLoss, limits.maxBetsPerOutcome]).toEqual([usdc('100'), 1]);
  });
});
