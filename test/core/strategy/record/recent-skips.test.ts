import { expect, test } from 'vitest';
import type { DecisionId, StrategyId } from '../../../../src/core/ids.js';
import { skipOf } from '../../../../src/core/strategy/decide/decide.js';
import { RecentSkips } from '../../../../src/core/strategy/record/recent-skips.js';
import { ALICE } from '../../../support/builders.js';
import { aBet } from '../../../support/builders-of-bets.js';

/** Skips of this strategy, one after another. */
function add(skips: RecentSkips, strategy: string, count: number) {
  const strategyId = strategy as StrategyId;
  const skip = { ...skipOf(aBet(), 'no_edge'), strategyId };
  for (let n = 1; n <= count; n += 1) skips.add(ALICE, `${strategy}-${n}` as DecisionId, skip);
}

test('the last hundred skips of each strategy are remembered, newest first', () => {
  const skips = new RecentSkips();
  add(skips, 'busy', 250);
  add(skips, 'other', 3);
  const found = skips.of(ALICE, 'busy' as StrategyId);
  expect([found.length, found[0]?.id, found.at(-1)?.id]).toEqual([100, 'busy-250', 'busy-151']);
  expect(skips.of(ALICE, 'other' as StrategyId)).toHaveLength(3);
  expect(skips.find(ALICE, 'busy-150' as DecisionId)).toBeUndefined();
});

test('beyond fifty thousand skips, the strategy that skipped longest ago is forgotten', () => {
  const skips = new RecentSkips();
  for (let n = 0; n < 600; n += 1) add(skips, `s${n}`, 100);
  expect(skips.size).toBe(50_000);
  const left = (n: number) => skips.of(ALICE, `s${n}` as StrategyId).length;
  expect([left(0), left(99), left(100), left(599)]).toEqual([0, 0, 100, 100]);
});
