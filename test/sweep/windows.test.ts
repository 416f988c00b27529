import { describe, expect, it } from 'vitest';
import type { MarketId, VenueName } from '../../src/core/ids.js';
import { unlistedMarket } from '../../src/core/market/market.js';
import { eventKey } from '../../src/core/performance/bet.js';
import { variantFigures } from '../../src/sweep/figures.js';
import type { WalkedWindows } from '../../src/sweep/plan.js';
import {
  areTestsApart,
  betsOfSlice,
  datedBets,
  eventStarts,
  type SweepWindow,
  windowsOf,
} from '../../src/sweep/windows.js';
import { aBetRow, aPlayedStrategy, someBets } from '../support/backtest-runs.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const VENUE = 'polymarket' as VenueName;

const walked = (kind: WalkedWindows['kind'], days: number, trainDays = 10, testDays = 4) =>
  windowsOf(
    { windows: { kind, trainDays, testDays } },
    { began: new Date(NOON), ended: new Date(NOON + days * DAY) },
    'p.json',
  );
const inDays = (windows: readonly SweepWindow[]) =>
  windows.map(({ train, test }) =>
    [train.from, train.to, test?.from ?? 0, test?.to ?? 0].map((ms) => (ms - NOON + DAY / 2) / DAY),
  );

describe('walked windows', () => {
  it('roll on by the length of a test', () => {
    const windows = walked('rolling', 16);
    expect(inDays(windows)).toEqual([
      [0, 10, 10, 14],
      [4, 14, 14, 18],
    ]);
    expect(areTestsApart(windows)).toBe(true);
  });

  it('train from the beginning on where they are anchored', () => {
    expect(inDays(walked('anchored', 16))).toEqual([
      [0, 10, 10, 14],
      [0, 14, 14, 18],
    ]);
  });

  it('are refused where the tapes are shorter than a train window', () => {
    expect(() => walked('rolling', 3)).toThrow('p.json: /windows/rolling/train_days is 10, and the tapes have 4 days');
  });
});

/** Two windows that meet at midnight, twelve hours after the first bets. */
const MIDNIGHT = NOON + 12 * HOUR;
const HALVES: readonly SweepWindow[] = [
  { name: 'h', train: { from: NOON - DAY, to: MIDNIGHT }, test: { from: MIDNIGHT, to: NOON + 9 * DAY } },
];

const aBetAt = (n: number, made: number, starts: number | null, event: string | null) =>
  aBetRow({
    id: `bet-${n}`,
    marketId: `m${n}` as MarketId,
    event: event === null ? null : { id: event, slug: null, title: event },
    firstFillAt: new Date(made),
    settledAt: new Date(made + 3 * HOUR),
    startsAt: starts === null ? null : new Date(starts),
  });

describe('bets of windows', () => {
  const figures = (bets: ReturnType<typeof aBetAt>[], starts = new Map<string, number>()) =>
    variantFigures(aPlayedStrategy('v', bets), { windows: HALVES, starts, objective: 'yield' });

  it('are divided by the start of their event, and what straddles is dropped and counted', () => {
    const { train, test, withoutStart } = figures([
      aBetAt(1, NOON, NOON + HOUR, 'a'),
      aBetAt(2, NOON, MIDNIGHT + HOUR, 'b'),
      aBetAt(3, MIDNIGHT, MIDNIGHT, 'c'),
      aBetAt(4, NOON, null, null),
      aBetAt(5, MIDNIGHT + HOUR, NOON + HOUR, 'd'),
    ]);
    expect([train.bets, train.straddled]).toEqual([1, 1]);
    expect([test?.bets, test?.straddled, withoutStart]).toEqual([1, 1, 1]);
  });

  it('on one event are on one side, also where its start was moved', () => {
    const moved = [aBetAt(1, NOON, NOON + HOUR, 'a'), aBetAt(2, MIDNIGHT + HOUR, MIDNIGHT + 3 * HOUR, 'a')];
    const { train, test } = figures(moved);
    expect([train.bets, test?.bets, train.straddled]).toEqual([1, 0, 1]);
    const known = figures(moved, new Map([[`${VENUE} event a`, MIDNIGHT + HOUR]]));
    expect([known.train.bets, known.test?.bets, known.test?.straddled]).toEqual([0, 1, 1]);
  });

  it('an event starts when the first of its markets does, for all of them', () => {
    const event = { id: 'a', slug: null, title: null };
    const markets = [NOON + HOUR, NOON, null].map((at, n) => ({
      ...unlistedMarket(`m${n}` as MarketId, VENUE),
      event,
      startsAt: at === null ? null : new Date(at),
    }));
    expect([...eventStarts(markets, VENUE)]).toEqual([[`${VENUE} event a`, NOON]]);
  });

  it('no event of a season is in both the train and the test of a window', () => {
    const bets = someBets(300).map((bet, at) => ({
      ...bet,
      event: { id: `e${(at + 1) >> 1}`, slug: null, title: null },
      startsAt: new Date(bet.firstFillAt.getTime() + (at % 5) * 7 * HOUR),
    }));
    const dated = datedBets(bets, new Map());
    let straddling = 0;
    for (const { train, test } of walked('rolling', 12, 4, 2)) {
      const [before, after] = [train, test ?? train].map((slice) => betsOfSlice(slice, dated));
      const tested = new Set(after?.bets.map(eventKey));
      expect(before?.bets.length).toBeGreaterThan(0);
      expect(before?.bets.filter((bet) => tested.has(eventKey(bet)))).toEqual([]);
      straddling += after?.straddling.length ?? 0;
    }
    expect(straddling).toBeGreaterThan(0);
  });
});
