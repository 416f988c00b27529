import { expect, it } from 'vitest';
import { type BacktestProgress, backtest } from '../../src/backtest/backtest.js';
import { planBacktest } from '../../src/backtest/backtest-plan.js';
import { runOf } from '../../src/backtest/merge-shares.js';
import { playShare } from '../../src/backtest/play-share.js';
import { sharesOf } from '../../src/backtest/workers.js';
import { fileOf, tape, textOf } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, games, textOfRun } from '../support/backtests.js';
import { inTime, says } from '../support/match-day.js';

const inLeague = (name: string, league: string) => aBody(name, { match: { league } });
const STRATEGIES = ['cup', 'epl', 'cup', 'epl'].map((league, n) => inLeague(`${league} ${n}`, league));
/** Games of both leagues, and one that no strategy names. */
const GAMES = games(6).map((game, n) => (n === 5 ? { ...game, league: 'friendly' } : game));

async function sharedOut(path = tape(...afternoonOf(GAMES)), many = 2) {
  const plan = await planBacktest({ tapes: path, strategies: STRATEGIES });
  return { plan, shares: sharesOf({ ...plan.terms, strategies: plan.strategies }, many) };
}

it('strategies that find the same markets share a worker, and its markets', async () => {
  const { shares } = await sharedOut();
  const found = shares.map(({ strategies, markets }) => [
    strategies.map(({ draft }) => draft.name),
    [...(markets?.played ?? [])].sort(),
  ]);
  expect(found).toEqual([
    [
      ['cup 0', 'cup 2'],
      ['0xg0', '0xg3'],
    ],
    [
      ['epl 1', 'epl 3'],
      ['0xg1', '0xg2', '0xg4'],
    ],
  ]);
});

it('shares say the same of strategies and their markets as one does', async () => {
  const path = tape(...afternoonOf(GAMES).filter(({ at }) => at.getTime() % 600_000 < 500_000));
  const textOf = async (many: number) => {
    const { plan, shares } = await sharedOut(path, many);
    return textOfRun(runOf(plan, await Promise.all(shares.map((share) => playShare(share)))));
  };
  const one = await textOf(1);
  expect(JSON.parse(one)).toMatchObject({ header: { gaps: 10 }, markets: { length: 5 } });
  expect((await textOf(2)) === one).toBe(true);
});

it('each share plays all markets where one comes to another league', async () => {
  const moved = { ...GAMES[0], league: 'epl' } as (typeof GAMES)[number];
  const { shares } = await sharedOut(tape(...inTime([...afternoonOf(GAMES), says(moved, 600)], 1300)));
  expect(shares.map(({ markets }) => [markets?.played.size, markets?.counted.size])).toEqual([
    [6, 6],
    [6, 0],
  ]);
});

it('a backtest reads no change of a market that no strategy names', async () => {
  const text = textOf(...afternoonOf(GAMES)).replace(/("m":"0xg5","book":)\{.*\}\}/, '$1"?"}');
  const play = (league: string) => backtest({ tapes: fileOf(text), strategies: [inLeague('one', league)] });
  expect((await play('cup')).markets.length).toBe(2);
  await expect(play('friendly')).rejects.toThrow('of the tape: book');
});

it.each([1, 2])('a backtest on %d workers reports from its first moment to its last, in order', async (workers) => {
  const reached: [done: number, at: Date][] = [];
  const onProgress = ({ done, at }: BacktestProgress) => void reached.push([done, at]);
  await backtest({ tapes: tape(...afternoonOf(GAMES)), strategies: STRATEGIES, workers, onProgress });
  const [first, last] = [reached[0], reached.at(-1)];
  expect([first?.[0], first?.[1].toISOString(), last?.[0]]).toEqual([0, '2026-03-01T12:00:00.000Z', 1]);
  expect(reached).toEqual(reached.toSorted(([a], [b]) => a - b));
});
