import { expect, test } from 'vitest';
import { luckOf, pointClasses } from '../../src/core/performance/bet-plots.js';
import { profitPoints } from '../../src/report/figures.js';
import { aBetRow } from '../support/backtest-runs.js';
import { price, shares, usdc } from '../support/builders.js';

test('prices equal to the close are a class of their own, neither better nor worse', () => {
  const shown = pointClasses([0, 0, 0.5, 1, 1.5, -0.5, -3, -40, 12]).filter(({ count }) => count > 0);
  expect(shown).toEqual([
    { end: -10, count: 1 },
    { end: -3, count: 1 },
    { end: -1, count: 1 },
    { end: 0, count: 2 },
    { end: 1, count: 2 },
    { end: 2, count: 1 },
    { end: 10, count: 1 },
  ]);
});

const closing = (fair: bigint) => ({ price: price('0.5'), fair: { n: fair, d: 1_000_000n } });

test('profit to be expected is what the shares are worth at the close, less all that was paid', () => {
  const bet = aBetRow({ shares: shares('20'), stake: usdc('10'), fees: usdc('0.3'), close: closing(600_000n) });
  expect(profitPoints([bet]).expected.map(({ y }) => y)).toEqual([expect.closeTo(20 * 0.6 - 10.3, 9)]);
});

test('luck is one deviation of results at the close, where bets on one outcome win together', () => {
  const bet = aBetRow({ shares: shares('20'), close: closing(500_000n) });
  expect(luckOf([bet])).toBeCloseTo(10, 9);
  expect(luckOf([bet, bet])).toBeCloseTo(20, 9);
  expect(luckOf([bet, { ...bet, marketId: 'another' as typeof bet.marketId }])).toBeCloseTo(Math.sqrt(200), 9);
});
