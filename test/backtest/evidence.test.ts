import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTape } from '../../src/adapters/tape/index.js';
import { compareRuns, readRun } from '../../src/backtest/compare.js';
import { writeRun } from '../../src/backtest/files.js';
import {
  type BacktestOptions,
  type BacktestRun,
  backtest,
  backtestResultOf,
  summaryOf,
} from '../../src/backtest/index.js';
import type { Evidence } from '../../src/core/market/event.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import { price } from '../../src/core/money.js';
import { betEvidence } from '../../src/core/performance/bet.js';
import { createStakeport } from '../../src/stakeport/create-stakeport.js';
import { fileOf, line, textProving } from '../adapters/tape/tapes.js';
import { aBody, afternoonOf, games } from '../support/backtests.js';
import { ends, inTime, says, walk } from '../support/match-day.js';

const GAMES = games(4);
const LINES = afternoonOf(GAMES);
const TAKES = aBody('takes', { outcome: 'each' });
const RESTS = aBody('rests', {
  order: { time_in_force: 'GTC', give_up_after: '5m' },
  sizing: { method: 'flat', value: 50 },
});
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const tapeOf = (evidence: Evidence, lines = LINES) => fileOf(textProving(evidence, ...lines));
/** Books change while orders are on their way: some of those that may wait do so. */
const play = (tapes: BacktestOptions['tapes']) => backtest({ tapes, strategies: [TAKES, RESTS], latencyMs: 5500 });
const fillsOf = ({ played }: BacktestRun, liquidity: string) =>
  (played[0]?.orders ?? []).flatMap(({ fills }) => fills).filter((fill) => fill.liquidity === liquidity);

async function written(run: BacktestRun): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-evidence-'));
  folders.push(folder);
  await writeRun(run, backtestResultOf(run), folder);
  return folder;
}

describe('What a tape can prove bounds what is filled', () => {
  it.each(['l2', 'l2_no_trades', 'snapshots', 'l1', 'trades', 'candles', 'mid'] as const)('on %s', async (evidence) => {
    const run = await play(tapeOf(evidence));
    const whole = await play(tapeOf('l2'));
    const [takers, makers] = [fillsOf(run, 'TAKER'), fillsOf(run, 'MAKER')];
    expect(fillsOf(whole, 'TAKER').length).toBeGreaterThan(0);
    expect(fillsOf(whole, 'MAKER').length).toBeGreaterThan(0);
    const isFilled = ['l2', 'l2_no_trades', 'snapshots', 'l1'].includes(evidence);
    expect(takers.map(({ price, shares }) => [price, shares])).toEqual(
      isFilled ? fillsOf(whole, 'TAKER').map(({ price, shares }) => [price, shares]) : [],
    );
    expect(makers.length).toBe(evidence === 'l2' ? fillsOf(whole, 'MAKER').length : 0);
  });
});

describe('A result', () => {
  it('stands on the least that its bets stand on', async () => {
    const run = await play(tapeOf('snapshots'));
    const result = backtestResultOf(run);
    expect(new Set(run.played[0]?.bets.map(betEvidence))).toEqual(new Set(['snapshots']));
    expect(result.results.map(({ evidence }) => evidence)).toEqual(['snapshots', 'snapshots', 'snapshots']);
    expect(result.results[0]?.segments.filter(({ by }) => by === 'evidence')).toMatchObject([{ key: 'snapshots' }]);
    expect(readFileSync(join(await written(run), 'bets.csv'), 'utf8')).toContain(';evidence=snapshots,snapshots,');
  });

  it('of a market on two tapes stands on the worse one', async () => {
    const middle = LINES.length / 2;
    const described = LINES.slice(0, GAMES.length * 2);
    const halves = [
      LINES.slice(0, middle),
      [...described.map((one) => ({ ...one, at: LINES[middle]?.at ?? one.at })), ...LINES.slice(middle)],
    ];
    const tapes = [tapeOf('l2', halves[0]), tapeOf('l1', halves[1])];
    const run = await play(tapes);
    expect(new Set(run.played[0]?.bets.map(betEvidence))).toEqual(new Set(['l1']));
    expect(fillsOf(run, 'MAKER')).toEqual([]);
  });

  it('is not ranked with one of another kind of data', async () => {
    const [a, b, c] = [await play(tapeOf('l2')), await play(tapeOf('snapshots')), await play(tapeOf('candles'))];
    const [first, second] = [await readRun(await written(a)), await readRun(await written(b))];
    expect(() => compareRuns(first, second)).toThrow(/stands on snapshots, .* on l2: they are not ranked together/);
    await expect(readRun(await written(c))).rejects.toThrow(/nothing can be filled, so there is no profit to compare/);
  });
});

it('An order of a program is denied where nothing can be filled', async () => {
  const codes = async (evidence: Evidence) => {
    const tape = await openTape(tapeOf(evidence));
    const stakeport = createStakeport(tape);
    const order = { account: 'me', market: '0xg0', outcome: 'YES', price: '0.6', usdc: 10 } as const;
    const placed: (string | null)[] = [];
    tape.at(new Date('2026-03-01T12:00:01Z'), async () => {
      const { state, refusal } = await stakeport.orders.place(order);
      placed.push(state, refusal?.code ?? null);
    });
    await tape.play();
    await stakeport.close();
    return placed;
  };
  expect(await codes('snapshots')).toEqual(['filled', null]);
  expect(await codes('candles')).toEqual(['denied', 'market_data_stale']);
});

/** The same games as a minute's mids. */
const MIDS = inTime(
  GAMES.flatMap((game, n) => {
    const mids = walk(n + 1, { low: 30, high: 70, most: 3 });
    const lines = [says(game, 0)];
    for (let second = 1; second < 1200; second += 60)
      lines.push(line(second * 1000, { type: 'mid', price: price(`0.${mids.next().value}5`) }, game));
    lines.push(ends(game, 1210 + n, n % 2 === 0 ? YES_WON : NO_WON));
    return lines;
  }),
  1300,
);

describe('A tape of mids', () => {
  const at = (second: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + second * 1000);
  const signal = { name: 'elo', outcome: 'Home', probability: '0.65' };
  const signals = [
    { ...signal, market: '0xg0', knownAt: at(30) },
    { ...signal, market: '0xg1', knownAt: at(30), probability: '0.35' },
    // Known after the moment at which forecasts count.
    { ...signal, market: '0xg2', knownAt: at(600) },
  ];
  const model = aBody('model', { signal: { name: 'elo' }, filter: { min_edge: '0.02' } });
  const all = aBody('takes', { outcome: 'each', filter: { min_odds: '1.01' } });
  const played = () => backtest({ tapes: tapeOf('mid', MIDS), strategies: [all, model], signals });

  it('shows how often rules would have bet, and fills nothing', async () => {
    const run = await played();
    expect(run.played.map(({ orders, bets }) => [orders.length, bets.length])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
    const { forecasts = [] } = backtestResultOf(run);
    expect(forecasts.map(({ strategy, would_bet }) => [strategy, would_bet])).toEqual([
      [null, forecasts.slice(1).reduce((sum, { would_bet }) => sum + would_bet, 0)],
      ['takes', 8],
      ['model', 2],
    ]);
  });

  it('compares prices and signals with what came true', async () => {
    const { forecasts = [] } = backtestResultOf(await played());
    const [, takes, withModel] = forecasts;
    const known = (who: string, of = withModel) => of?.calibration.filter((bin) => bin.who === who && bin.n > 0);
    expect(known('market')?.reduce((sum, { n }) => sum + n, 0)).toBe(4);
    expect(known('signals')).toMatchObject([
      { from: '0.3', n: 1, forecast: '0.350000000', won: '0.000000000' },
      { from: '0.6', n: 1, forecast: '0.650000000', won: '1.000000000' },
    ]);
    expect(known('signals', takes)).toEqual([]);
    expect(withModel?.brier_signals).toBe('0.122500000');
  });

  it('says first that there is no profit, and shows none anywhere', async () => {
    const run = await played();
    const result = backtestResultOf(run);
    const folder = await written(run);
    const [report, json, summary] = [
      readFileSync(join(folder, 'report.html'), 'utf8'),
      readFileSync(join(folder, 'result.json'), 'utf8'),
      summaryOf(result),
    ];
    expect(summary.split('\n')[1]).toMatch(/^Nothing can be filled .*\(mid\).* no profit or loss/);
    expect(report.indexOf('Nothing can be filled')).toBeLessThan(report.indexOf('Strategies'));
    for (const text of [report, json, summary.split('\n').slice(2).join('\n')])
      expect(text.replace(/no profit or loss/g, '')).not.toMatch(/profit|yield|drawdown|equity|CLV/i);
    for (const name of ['bets.csv', 'orders.csv', 'equity.csv']) expect(existsSync(join(folder, name))).toBe(false);
  });

  it('beside whole books leaves those as they are', async () => {
    const [book, others] = [GAMES.slice(0, 2), GAMES.slice(2).map(({ id }) => id)];
    const mids = MIDS.filter((one) => one.type === 'alive' || others.includes(one.marketId));
    const mixed = await play([tapeOf('l2', afternoonOf(book)), tapeOf('mid', mids)]);
    const alone = await play(tapeOf('l2', afternoonOf(book)));
    const moneyOf = (run: BacktestRun) =>
      backtestResultOf(run).results.map(({ measures }) => measures.profit_usdc.value);
    expect(moneyOf(mixed)).toEqual(moneyOf(alone));
    expect(mixed.warnings.map(({ detail }) => detail)).toContain(
      'In 2 of 4 markets there is no book that an order could meet: nothing is filled there.',
    );
  });
});
