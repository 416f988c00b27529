import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type BacktestResult, backtestResult, backtestResultOf, stableJson } from '../../src/backtest/result.js';
import type { Usdc } from '../../src/core/money.js';
import { aBetRow, aPlayedStrategy, aRun, aRunHeader, someBets } from '../support/backtest-runs.js';
import { usdc } from '../support/builders.js';

const MEASURES =
  `profit_usdc turnover_usdc yield yield_z return_on_capital hit_rate break_even_rate expectancy_usdc profit_factor
  longest_losing_run longest_losing_run_expected max_drawdown max_drawdown_usdc max_drawdown_seconds clv_points clv_net clv_beat_rate
  brier brier_market brier_reliability brier_resolution brier_uncertainty brier_within_variance brier_within_covariance log_loss fees_usdc
  slippage_spread slippage_delay slippage_depth exposure_max sharpe_daily sortino_daily kelly_growth kelly_growth_expected`.split(
    /\s+/,
  );

/** The result of the first strategy of a run: all together. */
const firstOf = ({ results: [first] }: BacktestResult) => first as BacktestResult['results'][number];

/** The result of a run that has these bets alone. */
const resultWith = (...bets: Parameters<typeof aPlayedStrategy>[1]) =>
  firstOf(backtestResultOf(aRun(0, { played: [aPlayedStrategy(null, bets)] })));

describe('result.json', () => {
  const result = backtestResultOf(
    aRun(120, { warnings: [{ code: 'late_signals', detail: 'Two signals came late.' }] }),
  );

  it('has the members that programs rely on, in their order', () => {
    expect(v.parse(backtestResult, JSON.parse(stableJson(result)))).toEqual(result);
    expect(Object.keys(result)).toEqual(['run', 'warnings', 'results']);
    expect(Object.keys(result.run).join(' ')).toBe(
      'id tapes strategies cash_usdc latency_ms seed together version coverage gaps partial',
    );
    expect(Object.keys(result.run.tapes[0] ?? {}).join(' ')).toBe('name sha256 from to markets evidence');
    expect(result.warnings).toEqual([{ code: 'late_signals', detail: 'Two signals came late.' }]);
    const first = firstOf(result);
    expect(Object.keys(first).join(' ')).toBe('strategy evidence verdict bets open measures calibration segments');
    expect(Object.keys(first.measures)).toEqual(MEASURES);
    expect(Object.keys(first.measures.yield).join(' ')).toBe('value reason n low high');
    expect(Object.keys(first.calibration[0] ?? {}).join(' ')).toBe('who from to n forecast won low high');
    expect(Object.keys(first.segments[0] ?? {}).join(' ')).toBe('by key bets profit_usdc yield');
  });

  it('writes amounts and ratios as decimals, moments in UTC', () => {
    expect(result.run.cash_usdc).toBe('1000');
    expect(result.run.tapes[0]?.from).toBe('2026-03-01T11:00:00.000Z');
    expect(resultWith(aBetRow()).measures.profit_usdc).toEqual({
      value: '9.9',
      reason: null,
      n: 1,
      low: null,
      high: null,
    });
    expect(resultWith(aBetRow()).measures.yield).toMatchObject({ value: '0.990000000', low: '0.990000000', n: 1 });
  });

  it('has all together first, then each strategy by its name', () => {
    expect(result.results.map(({ strategy }) => strategy)).toEqual([null, 'Home favourites']);
  });

  it('is JSON, a line for each measure', () => {
    const text = stableJson(result);
    expect(JSON.parse(text)).toEqual(result);
    expect(
      text.match(/^ {8}"yield": \{"value":"[^"]+","reason":null,"n":120,"low":"[^"]+","high":"[^"]+"\},$/gm),
    ).toHaveLength(2);
    expect(text.endsWith('}\n')).toBe(true);
  });

  it('has the same bytes for the same run', () => {
    expect(stableJson(backtestResultOf(aRun(120)))).toBe(stableJson(backtestResultOf(aRun(120))));
  });

  it('has one interval for the same bets, of one strategy and of all', () => {
    const [all, own] = result.results;
    expect(own?.measures.yield).toEqual(all?.measures.yield);
    expect(own?.measures.yield.low).not.toBeNull();
  });

  it('draws other intervals for another seed, and the same values', () => {
    const other = firstOf(backtestResultOf(aRun(120, { header: aRunHeader({ seed: '2' }) }))).measures.yield;
    const own = firstOf(result).measures.yield;
    expect(other.low).not.toBe(own.low);
    expect(Math.abs(Number(other.low) - Number(own.low))).toBeLessThan(0.02);
    expect(other.value).toBe(own.value);
  });
});

describe('a measure that does not exist', () => {
  it('is null and says why', () => {
    const { measures, verdict, bets } = resultWith();
    expect([verdict, bets]).toEqual(['not enough bets', 0]);
    expect(measures.yield).toEqual({ value: null, reason: 'no_bets', n: 0, low: null, high: null });
    expect(measures.brier).toMatchObject({ value: null, reason: 'no_probability' });
  });

  it('is the z of a yield where bets were sold early', () => {
    const sold = aBetRow({ result: 'closed_early', soldFor: usdc('11'), payout: null, profit: usdc('0.9') });
    expect(resultWith(sold).measures.yield_z).toMatchObject({ value: null, reason: 'sold_early' });
  });

  it('is drawdown where the account was shared', () => {
    const shared = aPlayedStrategy('Home favourites', someBets(40), { marks: [] });
    const { max_drawdown } = firstOf(backtestResultOf(aRun(0, { played: [shared] }))).measures;
    expect(max_drawdown).toMatchObject({ value: null, reason: 'no_equity' });
  });
});

describe('open bets', () => {
  const open = aBetRow({ id: 'open', result: 'open', settledAt: null, payout: null, profit: usdc('2') });

  it('are in the profit and counted apart, and in nothing else', () => {
    const { bets, open: opened, measures, segments } = resultWith(aBetRow(), open);
    expect([bets, opened]).toEqual([1, 1]);
    expect(measures.profit_usdc.value).toBe('11.9');
    expect(measures.turnover_usdc.value).toBe('10');
    expect(segments.find(({ by }) => by === 'sport')).toMatchObject({ bets: 1, profit_usdc: '9.9' });
  });
});

describe('calibration', () => {
  const lists = resultWith(aBetRow(), aBetRow({ id: 'unstated', probability: null })).calibration;

  it('has ten classes of the bets with a stated probability, and ten of the market', () => {
    expect(lists.map(({ who }) => who)).toEqual([...Array(10).fill('bets'), ...Array(10).fill('market')]);
    expect(lists.slice(0, 10).map(({ n }) => n)).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    expect(lists.slice(10).reduce((sum, { n }) => sum + n, 0)).toBe(400);
    expect(lists[5]).toMatchObject({ from: '0.5', to: '0.6', forecast: '0.550000000', won: '1.000000000' });
  });

  it('has nothing but a count in an empty class', () => {
    expect(lists[0]).toEqual({
      who: 'bets',
      from: '0',
      to: '0.1',
      n: 0,
      forecast: null,
      won: null,
      low: null,
      high: null,
    });
  });
});

describe('segments', () => {
  const oddsOf = (cents: number) => {
    const stake = BigInt(cents) * 200_000n;
    const [found] = resultWith(aBetRow({ stake: stake as Usdc })).segments;
    return found?.key;
  };

  it.each([
    [99, '1-1.5'],
    [67, '1-1.5'],
    [66, '1.5-2'],
    [50, '2-3'],
    [20, '5-10'],
    [10, '10+'],
    [1, '10+'],
  ])('put a price of %i cents into the odds %s', (cents, key) => {
    expect(oddsOf(cents)).toBe(key);
  });

  it.each([
    [-1, 'started'],
    [0, '0-1'],
    [3600, '1-3'],
    [172_800, '48+'],
    [null, null],
  ])('put %s seconds to the start into the hours %s', (secondsToStart, key) => {
    const { segments } = resultWith(aBetRow({ secondsToStart }));
    expect(segments.find(({ by }) => by === 'hours_to_start')?.key).toBe(key);
  });

  it('add up to the profit of all settled bets, for each division', () => {
    const bets = someBets(200);
    const profit = bets.reduce((sum, bet) => sum + bet.profit, 0n);
    const { segments } = resultWith(...bets);
    for (const by of new Set(segments.map((one) => one.by))) {
      const parts = segments.filter((one) => one.by === by).map((one) => Math.round(Number(one.profit_usdc) * 1e6));
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(Number(profit));
    }
    expect(new Set(segments.map(({ by }) => by)).size).toBe(11);
  });

  it('keep what is not known of a bet apart, last', () => {
    const { segments } = resultWith(aBetRow({ sport: null }), aBetRow({ id: 'tennis', sport: 'tennis' }));
    expect(segments.filter(({ by }) => by === 'sport').map(({ key }) => key)).toEqual(['tennis', null]);
  });
});

describe('the verdict', () => {
  it.each([
    ['evidence', 400, 0.12],
    ['loss', 400, -0.12],
    ['not enough bets', 29, 0.3],
    ['not enough bets', 200, 0],
  ])('is %s of %i bets with an edge of %d', (verdict, count, edge) => {
    expect(firstOf(backtestResultOf(aRun(count, { edge }))).verdict).toBe(verdict);
  });
});
