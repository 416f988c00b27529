import { expect, it } from 'vitest';
import { planBacktest } from '../../src/backtest/backtest-plan.js';
import { type BacktestBody, backtest, backtestResultOf } from '../../src/backtest/index.js';
import { runOf } from '../../src/backtest/merge-shares.js';
import { playShare } from '../../src/backtest/play-share.js';
import { sharesOf } from '../../src/backtest/workers.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import { formatMicro, usdc } from '../../src/core/money.js';
import { tape } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, BODIES, games, textOfRun } from '../support/backtests.js';
import { aMatch, ends, inTime, says, shows } from '../support/match-day.js';

const AFTERNOON = tape(...afternoonOf(games(4)));

it('plays each strategy as if there were no other', async () => {
  const plan = await planBacktest({ tapes: AFTERNOON, strategies: BODIES });
  const playedIn = async (many: number) => {
    const shares = sharesOf({ ...plan.terms, strategies: plan.strategies }, many);
    return textOfRun(runOf(plan, await Promise.all(shares.map((share) => playShare(share)))));
  };
  expect(await playedIn(plan.strategies.length)).toBe(await playedIn(1));
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

it('accounts for all that its accounts earned by bets, open ones too', async () => {
  const to = new Date('2026-03-01T12:08:00Z');
  for (const together of [true, false]) {
    const { played } = await backtest({ tapes: AFTERNOON, strategies: BODIES, to, together });
    const [all] = played;
    const earned = (all?.bets ?? []).reduce((sum, { profit }) => sum + profit, 0n);
    expect(all?.bets.filter(({ result }) => result === 'open').length).toBeGreaterThan(4);
    const difference = (all?.marks.at(-1)?.equity ?? 0n) - (all?.capital ?? 0n) - earned;
    // What each bet of an account would bring is rounded by itself.
    expect(difference >= 0n && difference < 40n).toBe(true);
  }
});

it('prices the close of a bet right before its event began', async () => {
  const { played } = await backtest({ tapes: AFTERNOON, strategies: [aBody('homes')] });
  const [first] = played[0]?.bets ?? [];
  expect(first).toMatchObject({ marketId: '0xg0', close: { price: 550_000n, fair: { n: 550_000n, d: 1_000_000n } } });
});

it('asks a model only for what was known by then', async () => {
  const model = aBody('model', { signal: { name: 'elo' }, filter: { min_edge: '0.02' } });
  const at = (second: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + second * 1000);
  const signal = { name: 'elo', market: 'g1-slug', outcome: 'Home', probability: '0.7' };
  const signals = [
    { ...signal, knownAt: at(68) },
    { ...signal, market: '0xg2', knownAt: at(3600) },
  ];
  const { played, warnings } = await backtest({ tapes: AFTERNOON, strategies: [model], signals });
  expect(played[0]?.orders.map(({ placedAt }) => placedAt)).toEqual([at(68)]);
  expect(warnings.map(({ code }) => code)).toEqual(['late_signals']);
});

it('is ended by a signal, and says that it is a part', async () => {
  const ending = new AbortController();
  ending.abort();
  const { header, played } = await backtest({ tapes: AFTERNOON, strategies: BODIES, signal: ending.signal });
  expect([header.partial, played[0]?.orders.length]).toEqual([true, 0]);
});

it('holds one outcome at a time where the venue keeps one net position', async () => {
  const game = aMatch('net');
  const nets = { ...game, terms: game.terms && { ...game.terms, netsOutcomes: true } };
  const lines = [
    says(nets, 0),
    ...[1, 20, 40].map((second) => shows(nets, second, '0.49', '0.51')),
    ends(nets, 60, YES_WON),
  ];
  const { played } = await backtest({
    tapes: tape(...inTime(lines, 70)),
    strategies: [aBody('both', { outcome: 'each' })],
  });
  const [both] = played;
  expect(both?.orders.map(({ intent }) => intent.outcome)).toEqual(['YES']);
  expect(both?.skips.get('other_outcome_held')).toBe(1);
});

it.each([0.1 + 0.2, 1e-7, 1e21, 1e9, -1, Number.NaN, '', '1e3'])(
  'refuses %s as cash, and says what it may be',
  async (cash) => {
    const refused = backtest({ tapes: AFTERNOON, strategies: BODIES, cash });
    await expect(refused).rejects.toThrow(/^cash must be a plain decimal .* at most 6 decimals, .*; got \S+$/);
  },
);

it('takes cash exactly, as a number or a text', async () => {
  const begun = async (cash: number | string) =>
    (await planBacktest({ tapes: AFTERNOON, strategies: BODIES, cash })).header.cash;
  expect(await Promise.all([1000.5, 999_999_999.999_999, '0.3', 1e-6].map(begun))).toEqual([
    usdc('1000.5'),
    usdc('999999999.999999'),
    usdc('0.3'),
    usdc('0.000001'),
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

it('expects the growth of strategies together by the marks of their account', async () => {
  const model = aBody('model', { signal: { name: 'elo' }, filter: { min_edge: '0.02' } });
  const signals = [0, 1, 2, 3].map((n) => ({
    name: 'elo',
    market: `0xg${n}`,
    outcome: 'Home',
    probability: '0.8',
    knownAt: new Date(Date.parse('2026-03-01T12:01:00Z') + n * 180_000),
  }));
  const run = { tapes: AFTERNOON, strategies: [model], signals, cash: 60 };
  const [together, apart] = [await backtest({ ...run, together: true }), await backtest(run)];
  const growth = (of: typeof apart) =>
    backtestResultOf(of).results.map(({ measures }) => measures.kelly_growth_expected);
  expect(growth(together)).toEqual(growth(apart));
  expect(growth(apart)[1]).toMatchObject({ n: 3 });
});

it('says the yield without bets at prices of a result that is known', async () => {
  const [open, known] = [aMatch('open'), aMatch('known')];
  const lines = [
    ...[says(open, 0), says(known, 0), shows(open, 60, '0.49', '0.5'), shows(known, 60, '0.97', '0.98')],
    ...[ends(open, 300, NO_WON), ends(known, 300, YES_WON)],
  ];
  const path = tape(...inTime(lines, 400));
  const warned = async (...filters: readonly BacktestBody[]) => {
    const strategies = filters.map((filter, n) => aBody(`s${n}`, { filter }));
    return (await backtest({ tapes: path, strategies })).warnings;
  };
  expect(await warned({ min_odds: '1.9' })).toEqual([]);
  expect(await warned({ min_odds: '1.01' })).toEqual([
    { code: 'nearly_certain', detail: expect.stringMatching(/^1 of 2 settled bets .* 0\.97 .* yield is -100\.0 %\.$/) },
  ]);
  expect(await warned({ min_odds: '1.01', max_odds: '1.5' })).toMatchObject([
    { detail: expect.stringContaining('there is no yield') },
  ]);
});

it('says why a strategy never bet, and when the money of one ran out', async () => {
  const one = aMatch('one');
  const lines = [says(one, 0), shows(one, 60, '0.49', '0.5'), ends(one, 300, NO_WON)];
  const tapes = tape(...inTime(lines, 400));
  const warned = async (strategies: readonly BacktestBody[], cash = 1000) =>
    (await backtest({ tapes, strategies, cash })).warnings;
  const idle = (name: string) => aBody(name, { filter: { min_liquidity_usdc: '1000000' } });
  const tooShort = aBody('short', { filter: { min_odds: '9' } });
  const [warning] = await warned([idle('idle'), aBody('bets')]);
  expect(warning).toMatchObject({
    code: 'never_bet',
    detail: expect.stringMatching(/^“idle” never bet, most often for \w+ \(\d+ times\): \w/),
  });
  expect(await warned([idle('a'), idle('b')])).toMatchObject([
    { detail: expect.stringMatching(/^2 of 2 strategies never bet/) },
  ]);
  expect(await warned([tooShort])).toMatchObject([
    { detail: expect.stringMatching(/^“short” never bet: nothing came/) },
  ]);
  expect(await warned([aBody('bets')])).toEqual([]);
  expect(await warned([aBody('bets')], 10.3)).toMatchObject([
    {
      code: 'out_of_cash',
      detail: expect.stringMatching(
        /^“bets” had lost nearly all of its cash by 2026-\S+, and ended with 0\.\d+ USDC: /,
      ),
    },
  ]);
});
