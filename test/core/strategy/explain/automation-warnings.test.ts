import { expect, it } from 'vitest';
import { price } from '../../../../src/core/money.js';
import { warningsOf } from '../../../../src/core/strategy/explain/warnings.js';
import type { RulesDraft } from '../../../../src/core/strategy/rules/rules.js';
import { createStrategy, type StrategyDraft } from '../../../../src/core/strategy/strategy.js';
import { ALICE, aDraft, NOON, newStrategyId, usdc } from '../../../support/builders.js';

function warned(rules: Partial<RulesDraft>, others: Partial<StrategyDraft> = {}): string[] {
  const draft = aDraft({ bankrollCap: usdc('1000'), ...others, rules: { ...aDraft().rules, ...rules } });
  const strategy = createStrategy(newStrategyId(), ALICE, draft, new Date(NOON), { keyId: 'key1' });
  return warningsOf(strategy, null).map(({ pointer, detail }) => `${pointer} ${detail}`);
}

const auto = { outcome: 'each' } as const;

it.each<[string, Partial<RulesDraft>, Partial<StrategyDraft>?]>([
  [
    '/automation_paper is false, while paper_only is true: nothing trades with real money',
    {},
    { automationPaper: false },
  ],
  ['/rules/window/from is not before the start, while phase is pre: no bet is made', { window: { fromMs: 0 } }],
  [
    '/rules/window/to is not after the start, while phase is in_play: hardly a bet is made',
    { phase: 'in_play', window: { toMs: 0 } },
  ],
  ['/rules/exit/stop sells nothing while automation is off', { exit: { stop: { loss: 200_000n } } }],
  ['/rules/order/give_up_after has no effect: FAK leaves nothing to give up', { order: { giveUpAfterMs: 1000 } }],
  [
    '/rules/filter/max_book_age is 0, and hardly a book is that fresh: hardly a bet is made',
    { filter: { maxBookAgeMs: 0 } },
  ],
  [
    '/rules/exit/stop/loss is 0.15, and at a price of 0.5 a spread of max_spread, 0.05, and two fees cost 0.15 of the stake: a bet may be sold at once',
    { ...auto, exit: { stop: { loss: 150_000n } } },
    { automation: 'auto' },
  ],
  [
    '/rules/exit/take_profit/gain is 0.1, and at a price of 0.5 a spread of max_spread, 0.05, and two fees cost 0.15 of the stake: most of what a price rises by is theirs',
    { ...auto, exit: { takeProfit: { gain: 100_000n } } },
    { automation: 'auto' },
  ],
  [
    '/rules/exit/stop/price is 0.45, and max_spread is 0.05: what is bought at 0.5 may be sold at once',
    { ...auto, exit: { stop: { price: price('0.45') } } },
    { automation: 'auto' },
  ],
  [
    '/rules/exit/take_profit/price is 0.525, and what is bought at 0.5 costs 0.525 with two fees: it may be sold with a loss',
    { ...auto, exit: { takeProfit: { price: price('0.525') } } },
    { automation: 'auto' },
  ],
  ['/rules/exit has no condition, so nothing is sold before the result', { exit: {} }],
  [
    '/rules/filter/min_edge is 0, so bets that are expected to win nothing are made',
    { filter: { minEdge: 0n }, signal: { name: 'mine', required: true } },
  ],
  [
    '/rules/signal is absent, so there is no probability: no bet can be made',
    { ...auto, sizing: { method: 'kelly', value: 1n } },
  ],
  [
    '/rules/sizing/value is 10, above limits/event_loss, which is 9: bets are made smaller',
    { limits: { eventLoss: usdc('9') } },
  ],
  [
    '/rules/limits/max_bets_per_day is null, so that nothing restricts it while the strategy trades by itself',
    { ...auto, limits: { maxBetsPerDay: null } },
    { automation: 'auto' },
  ],
])('A strategy gets one warning: %s', (warning, rules, others) => {
  expect(warned(rules, others)).toEqual([warning]);
});

it('A strategy gets no warning for older rules or sound automation', () => {
  expect(warned({ sizing: { method: 'kelly', value: 250_000n } })).toEqual([]);
  expect(warned(auto, { automation: 'auto' })).toEqual([]);
  expect(warned({ ...auto, order: { timeInForce: 'FAK', giveUpAfterMs: 60_000 } }, { automation: 'auto' })).toEqual([]);
  const prices = { stop: { price: price('0.449999') }, takeProfit: { price: price('0.525001') } };
  expect(warned({ ...auto, exit: prices }, { automation: 'auto' })).toEqual([]);
  const exit = { stop: { loss: 150_001n }, takeProfit: { gain: 150_001n } };
  expect(warned({ ...auto, exit }, { automation: 'auto' })).toEqual([]);
  const kelly = { sizing: { method: 'kelly', value: 250_000n }, signal: { name: 'mine', required: true } } as const;
  expect(warned({ ...kelly, filter: { minEdge: 0n } })).toEqual([]);
  expect(warned({ ...auto, limits: { maxBetsPerDay: null } })).toEqual([]);
});

it.each<[string, NonNullable<RulesDraft['exit']>]>([
  [
    '/rules/exit/stop/loss is 0.4, and at a price of 0.5 two fees cost 0.05 of the stake, and the spread any more, since max_spread is null: a bet may be sold at once',
    { stop: { loss: 400_000n } },
  ],
  [
    '/rules/exit/take_profit/gain is 0.4, and at a price of 0.5 two fees cost 0.05 of the stake, and the spread any more, since max_spread is null: most of what a price rises by is theirs',
    { takeProfit: { gain: 400_000n } },
  ],
  [
    '/rules/exit/stop/price is 0.1, and max_spread is null, so that a spread may be any: what is bought at 0.5 may be sold at once',
    { stop: { price: price('0.1') } },
  ],
])('A strategy without a greatest spread gets a warning: %s', (warning, exit) => {
  expect(warned({ ...auto, filter: { maxSpread: null }, exit }, { automation: 'auto' })).toEqual([
    warning,
    '/rules/filter/max_spread is null, so that nothing restricts it while the strategy trades by itself',
  ]);
});
