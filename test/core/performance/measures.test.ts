import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import type { AccountId, MarketId, OrderId, VenueName } from '../../../src/core/ids.js';
import type { Price, Usdc } from '../../../src/core/money.js';
import type { BetResult, BetRow } from '../../../src/core/performance/bet.js';
import { eventReturns } from '../../../src/core/performance/bet-sums.js';
import {
  type Interval,
  NO_RETURNS,
  normalYieldInterval,
  type Resampling,
  seededResampling,
  withReturn,
} from '../../../src/core/performance/intervals.js';
import { approximateText, type Measure, verdictOf } from '../../../src/core/performance/measure.js';
import { MEASURES, type MeasureName, measuresOf, type Performance } from '../../../src/core/performance/measures.js';
import { price, shares, usdc } from '../../support/builders.js';

interface GoldenBet {
  readonly id: string;
  readonly event: string;
  readonly settled: number;
  readonly stake: number;
  readonly shares: number;
  readonly fees: number;
  readonly result: BetResult;
  readonly sold: number;
  readonly profit: number;
  readonly decision: { readonly best: number; readonly mid: number } | null;
  readonly arrival: { readonly best: number } | null;
  readonly probability: number | null;
  readonly close: { readonly price: number; readonly fair: readonly [number, number] } | null;
  readonly equity: number | null;
}

interface GoldenCase {
  readonly bets: readonly GoldenBet[];
  readonly marks: readonly {
    readonly at: number;
    readonly equity: number;
    readonly risk: number;
    readonly deposited: number;
  }[];
  readonly capital: number;
}

interface GoldenValue {
  readonly value: number | null;
  readonly n: number;
  readonly reason?: string;
  readonly interval?: Interval;
  readonly draws?: readonly (readonly number[])[];
  readonly normal?: Interval;
}

const golden = <T>(name: string): readonly T[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/measures/${name}.json`, import.meta.url), 'utf8')) as readonly T[];

const CASES = golden<GoldenCase>('cases');
const YIELDS = golden<GoldenValue>('yield');
const at = (seconds: number) => new Date(seconds * 1000);

const SOME_BET: BetRow = {
  id: 'bet',
  account: 'alice' as AccountId,
  paper: true,
  venue: 'somewhere' as VenueName,
  marketId: 'market' as MarketId,
  event: null,
  question: null,
  sport: null,
  league: null,
  kind: null,
  line: null,
  strategy: null,
  outcome: 'YES',
  outcomeLabel: null,
  side: 'BACK',
  firstFillAt: at(0),
  lastFillAt: at(0),
  settledAt: at(3600),
  startsAt: null,
  secondsToStart: null,
  phase: 'pre',
  shares: shares('20'),
  held: shares('0'),
  stake: usdc('10'),
  fees: usdc('0'),
  atDecision: null,
  atArrival: null,
  probability: null,
  close: 'no_book',
  payout: null,
  paid: usdc('0'),
  soldFor: usdc('0'),
  profit: usdc('0'),
  result: 'lost',
  liquidity: 'taker',
  fillModels: [],
  orderIds: ['order' as OrderId],
  orderSeqs: [4],
  equityAtEntry: null,
  atRisk: null,
  resets: 0,
};

const micro = <T extends bigint>(amount: number) => BigInt(amount) as T;
const maybe = <T extends bigint>(amount: number | null) => (amount === null ? null : micro<T>(amount));

const betOf = (row: GoldenBet): BetRow => ({
  ...SOME_BET,
  id: row.id,
  event: { id: row.event, slug: null, title: null },
  settledAt: row.result === 'open' ? null : at(row.settled),
  stake: micro(row.stake),
  shares: micro(row.shares),
  fees: micro(row.fees),
  result: row.result,
  soldFor: micro(row.sold),
  profit: micro(row.profit),
  atDecision: row.decision && { best: micro<Price>(row.decision.best), mid: micro<Price>(row.decision.mid) },
  atArrival: row.arrival && { best: micro<Price>(row.arrival.best), mid: null },
  probability: maybe(row.probability),
  close: row.close
    ? { price: micro<Price>(row.close.price), fair: { n: BigInt(row.close.fair[0]), d: BigInt(row.close.fair[1]) } }
    : 'no_book',
  equityAtEntry: maybe(row.equity),
});

/** The draws of a golden file, 200 resamples, fifty times over. */
const drawn =
  (draws: readonly (readonly number[])[]): Resampling =>
  (places, resample) =>
    places.set(draws[resample % draws.length] ?? []);

const performanceOf = ({ bets, marks, capital }: GoldenCase, index: number): Performance => ({
  bets: bets.map(betOf),
  marks: marks.map((mark) => ({
    at: at(mark.at),
    equity: micro<Usdc>(mark.equity),
    atRisk: micro<Usdc>(mark.risk),
    deposited: micro<Usdc>(mark.deposited),
  })),
  capital: micro(capital),
  resampling: drawn(YIELDS[index]?.draws ?? []),
});

const MEASURED = CASES.map(performanceOf).map((performance) => measuresOf(performance));

function expectNear(actual: number | null | undefined, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
}

describe('A measure equals what numpy and scipy compute', () => {
  test.each(MEASURES.map(({ name }) => name))('%s', (name: MeasureName) => {
    const values = golden<GoldenValue>(name);
    expect(values).toHaveLength(CASES.length);
    for (const [index, { value, n, reason, interval }] of values.entries()) {
      const measured = MEASURED[index]?.[name] as Measure;
      expect([measured.reason, measured.n]).toEqual([reason ?? null, n]);
      if (value === null) expect(measured.value).toBeNull();
      else expectNear(measured.number, value);
      if (interval === undefined) expect(measured.interval).toBeNull();
      else for (const side of [0, 1] as const) expectNear(measured.interval?.[side], interval[side]);
    }
  });
});

it('has an interval from sums over events that equals the one from all events', () => {
  for (const [index, { normal }] of YIELDS.entries()) {
    const events = eventReturns((CASES[index]?.bets ?? []).map(betOf));
    const interval = normalYieldInterval(events.reduce(withReturn, NO_RETURNS));
    for (const side of [0, 1] as const) expectNear(interval?.[side], normal?.[side] ?? Number.NaN);
  }
});

it('draws by xoshiro128**, so that every machine has the same interval', () => {
  const places = new Uint32Array(1000);
  seededResampling('0123456789abcdeffedcba9876543210ffff')(places, 0);
  expect([...places]).toEqual(golden<number>('xoshiro'));
});

describe('A measure that does not exist is null with its reason', () => {
  const NOTHING: Performance = { bets: [], marks: [], capital: usdc('1000'), resampling: () => {} };
  const bet = (change: Partial<BetRow>): BetRow => ({ ...SOME_BET, ...change });
  const won = bet({ result: 'won', profit: usdc('10') });

  it('without bets and marks, but for sums, which are 0', () => {
    const values = Object.entries(measuresOf(NOTHING)).map(([name, { value, reason }]) => [name, value ?? reason]);
    expect(Object.fromEntries(values)).toEqual({
      profit_usdc: '0',
      turnover_usdc: '0',
      yield: 'no_bets',
      yield_z: 'no_decided_bets',
      return_on_capital: 'no_bets',
      hit_rate: 'no_decided_bets',
      break_even_rate: 'no_decided_bets',
      expectancy_usdc: 'no_bets',
      profit_factor: 'no_bets',
      longest_losing_run: 'no_decided_bets',
      longest_losing_run_expected: 'no_decided_bets',
      max_drawdown: 'no_equity',
      max_drawdown_usdc: 'no_equity',
      max_drawdown_seconds: 'no_equity',
      clv_points: 'no_close',
      clv_net: 'no_close',
      clv_beat_rate: 'no_close',
      brier: 'no_probability',
      brier_market: 'no_probability',
      brier_reliability: 'no_probability',
      brier_resolution: 'no_probability',
      brier_uncertainty: 'no_probability',
      brier_within_variance: 'no_probability',
      brier_within_covariance: 'no_probability',
      log_loss: 'no_probability',
      fees_usdc: '0',
      slippage_spread: 'no_price',
      slippage_delay: 'no_price',
      slippage_depth: 'no_price',
      exposure_max: 'no_equity',
      sharpe_daily: 'no_equity',
      sortino_daily: 'no_equity',
      kelly_growth: 'no_bets',
      kelly_growth_expected: 'no_probability',
    });
  });

  test.each<[MeasureName, string, Partial<Performance>]>([
    ['profit_factor', 'no_losses', { bets: [won] }],
    ['longest_losing_run_expected', 'no_losses', { bets: [won] }],
    ['longest_losing_run_expected', 'no_wins', { bets: [bet({})] }],
    ['yield_z', 'sold_early', { bets: [won, bet({ result: 'closed_early', soldFor: usdc('9') })] }],
    ['yield_z', 'no_variance', { bets: [bet({ result: 'won', stake: usdc('20') })] }],
    ['return_on_capital', 'no_capital', { bets: [won], capital: usdc('0') }],
    ['brier_market', 'no_price', { bets: [bet({ probability: price('0.5') })] }],
    [
      'max_drawdown',
      'no_drawdown',
      { marks: [{ at: at(0), equity: usdc('9'), atRisk: usdc('0'), deposited: usdc('0') }] },
    ],
  ])('%s: %s', (name, reason, change) => {
    expect(measuresOf({ ...NOTHING, ...change })[name]).toMatchObject({ value: null, number: null, reason });
  });

  it('counts an open bet in the profit alone', () => {
    const open = bet({ result: 'open', settledAt: null, profit: usdc('3'), probability: price('0.6') });
    const { profit_usdc, ...others } = measuresOf({ ...NOTHING, bets: [open] });
    expect(profit_usdc.value).toBe('3');
    expect(Object.values(others).every(({ value }) => value === null || value === '0')).toBe(true);
  });

  it('expects growth by equity at the last mark before the bet', () => {
    const made = {
      result: 'lost',
      probability: price('0.6'),
      firstFillAt: at(100),
      equityAtEntry: usdc('1000'),
    } as const;
    const marks = [
      ['1000', 0],
      ['500', 60],
      ['400', 100],
    ] as const;
    const growth = (count: number) => {
      const known = marks.slice(0, count).map(([equity, second]) => ({
        at: at(second),
        equity: usdc(equity),
        atRisk: usdc('0'),
        deposited: usdc('0'),
      }));
      return measuresOf({ ...NOTHING, bets: [bet(made)], marks: known }).kelly_growth_expected.number;
    };
    expect(growth(3)).toBeCloseTo(0.6 * Math.log(1.02) + 0.4 * Math.log(0.98), 12);
    expect(growth(2)).toBe(growth(3));
    expect(growth(0)).toBeCloseTo(0.6 * Math.log(1.01) + 0.4 * Math.log(0.99), 12);
    expect(growth(1)).toBe(growth(0));
  });

  it('does not let a void bet end a losing run', () => {
    const results: readonly BetResult[] = ['lost', 'void', 'lost', 'closed_early', 'lost', 'won', 'lost'];
    const bets = results.map((result, index) => bet({ id: `bet-${index}`, result, settledAt: at(index) }));
    expect(measuresOf({ ...NOTHING, bets: bets.toReversed() }).longest_losing_run.value).toBe('3');
  });
});

describe('A deposit', () => {
  const mark = (hour: number, equity: string, deposited = '0') => ({
    at: at(hour * 3600),
    equity: usdc(equity),
    atRisk: usdc('0'),
    deposited: usdc(deposited),
  });

  it('neither ends a drawdown nor makes one smaller', () => {
    const marks = [mark(0, '100'), mark(1, '80'), mark(2, '130', '50'), mark(3, '149'), mark(4, '151')];
    const measures = measuresOf({ bets: [], marks, capital: usdc('100'), resampling: () => {} });
    expect([
      measures.max_drawdown.value,
      measures.max_drawdown_usdc.value,
      measures.max_drawdown_seconds.value,
    ]).toEqual(['0.200000000', '20', '14400']);
  });
});

describe('The verdict', () => {
  const measured = (n: number, low: number, high: number): Measure => ({
    value: '0',
    number: 0,
    reason: null,
    n,
    interval: [low, high],
  });

  test.each<[string, Measure]>([
    ['not enough bets', measured(29, 0.1, 0.2)],
    ['evidence', measured(30, 0.000000001, 0.9)],
    ['loss', measured(30, -0.9, -0.000000001)],
    ['not enough bets', measured(1000, -0.05, 0.05)],
    ['no evidence', measured(30, -0.049, 0.2)],
    ['no evidence', measured(30, -0.2, 0.049)],
    ['no evidence', measured(30, 0, 0.2)],
  ])('is %s', (verdict, measure) => {
    expect(verdictOf(measure)).toBe(verdict);
  });
});

test.each([
  [0, '0'],
  [1234567.8, '1234568'],
  [-0.000123456789, '-0.000123457'],
  [0.9999996, '1.00000'],
  [12.3456789, '12.3457'],
])('%d is printed with six significant digits as %s', (value, text) => {
  expect(approximateText(value)).toBe(text);
});
