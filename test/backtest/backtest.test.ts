import { expect, it } from 'vitest';
import { planBacktest } from '../../src/backtest/backtest-plan.js';
import { backtest } from '../../src/backtest/index.js';
import { runOf } from '../../src/backtest/merge-shares.js';
import { playShare } from '../../src/backtest/play-share.js';
import { formatMicro } from '../../src/core/money.js';
import { tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, BODIES, games, textOfRun } from '../support/backtests.js';

const AFTERNOON = tape(...afternoonOf(games(4)));

it('plays each strategy as if there were no other', async () => {
  const plan = await planBacktest({ tapes: AFTERNOON, strategies: BODIES });
  const played = (...shares: (typeof plan.strategies)[]) =>
    Promise.all(shares.map((strategies) => playShare({ ...plan.terms, strategies })));
  const [all, alone] = [await played(plan.strategies), await played(...plan.strategies.map((one) => [one]))];
  const [first, ...others] = alone;
  const apart = textOfRun(runOf(plan, [first as (typeof alone)[0], ...others]));
  expect(apart).toBe(textOfRun(runOf(plan, [all[0] as (typeof all)[0]])));
});

it('marks accounts when their money moves, and sums them up', async () => {
  const strategies = [aBody('one'), aBody('two', { sizing: { method: 'flat', value: 20 } })];
  const { played } = await backtest({ tapes: AFTERNOON, strategies, cash: 500 });
  const [all, one, two] = played.map(({ marks }) => marks);
  const worth = (marks = all) => formatMicro(marks?.at(-1)?.equity ?? 0n);
  expect([formatMicro(all?.[0]?.equity ?? 0n), worth(one), worth(two), worth()]).toEqual([
    '1000',
    '499.21734',
    '498.43404',
    '997.65138',
  ]);
});

it('lets strategies together bet from one account', async () => {
  const strategies = [aBody('one', {}, { bankroll_cap: 100 }), aBody('two', {}, { bankroll_cap: 100 })];
  const { played } = await backtest({ tapes: AFTERNOON, strategies, cash: 35, together: true });
  expect(played.map(({ orders }) => orders.length)).toEqual([7, 4, 3]);
});

it('decides nothing before from, and plays nothing after to', async () => {
  const from = new Date('2026-03-01T12:05:00Z');
  const to = new Date('2026-03-01T12:06:00Z');
  const { played, header } = await backtest({ tapes: AFTERNOON, strategies: BODIES, from, to });
  const moments = (played[0]?.orders ?? []).map(({ placedAt }) => placedAt);
  expect(moments.length).toBeGreaterThan(10);
  expect(moments.every((at) => at >= from && at <= to)).toBe(true);
  expect(header.partial).toBe(false);
});
