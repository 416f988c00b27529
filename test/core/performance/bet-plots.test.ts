import { expect, test } from 'vitest';
import type { VenueName } from '../../../src/core/ids.js';
import { betPlotsOf, betsWithClose, inDollars } from '../../../src/core/performance/bet-plots.js';
import type { CountedBet } from '../../../src/core/performance/results.js';
import { profitPoints } from '../../../src/report/figures.js';
import { aBetRow, someBets } from '../../support/backtest-runs.js';

const counted = (bets: ReturnType<typeof someBets>): readonly CountedBet[] =>
  bets.map((bet) => ({ bet, key: bet.settledAt?.toISOString().slice(0, 10) ?? null, isMarked: true }));

test('plots by day end where those of the report end', () => {
  const bets = someBets(300);
  const [plots] = betPlotsOf(counted(bets));
  const { profit, expected } = profitPoints(bets);
  const days = plots?.days ?? [];
  expect(days.length).toBeGreaterThan(5);
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).sort());
  expect(days.reduce((sum, day) => sum + day.bets, 0)).toBe(betsWithClose(bets).length);
  expect(days.reduce((sum, day) => sum + inDollars(day.profit), 0)).toBeCloseTo(profit.at(-1)?.y ?? 0, 6);
  expect(days.reduce((sum, day) => sum + day.expected, 0)).toBeCloseTo(expected.at(-1)?.y ?? 0, 6);
});

test('plots keep venues and kinds of money apart, and leave open bets out', () => {
  const rows = betPlotsOf(
    counted([
      aBetRow({ id: 'a' }),
      aBetRow({ id: 'b', venue: 'other' as VenueName }),
      aBetRow({ id: 'c', paper: false }),
      aBetRow({ id: 'd', settledAt: null, result: 'open' }),
    ]),
  );
  expect(rows.map(({ venue, paper, bets }) => [venue, paper, bets])).toEqual([
    ['other', true, 1],
    ['polymarket', false, 1],
    ['polymarket', true, 1],
  ]);
});

test('plots of bets without a close say why, most frequent first', () => {
  const [plots] = betPlotsOf(
    counted([
      aBetRow({ id: 'a', close: 'gap' }),
      aBetRow({ id: 'b', close: 'in_play' }),
      aBetRow({ id: 'c', close: 'in_play' }),
    ]),
  );
  expect(plots).toMatchObject({ closing: null, days: [], luck: 0 });
  expect(plots?.noClose).toEqual([
    { reason: 'in_play', bets: 2 },
    { reason: 'gap', bets: 1 },
  ]);
});
