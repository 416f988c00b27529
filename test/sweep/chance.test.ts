import { expect, it } from 'vitest';
import type { MarketId } from '../../src/core/ids.js';
import type { Usdc } from '../../src/core/money.js';
import type { BetRow } from '../../src/core/performance/bet.js';
import { variantFigures } from '../../src/sweep/figures.js';
import { type SweepVerdict, sweepOutcome } from '../../src/sweep/outcome.js';
import { sweepPlanOf } from '../../src/sweep/plan.js';
import { windowsOf } from '../../src/sweep/windows.js';
import { aBetRow, aPlayedStrategy, numbersFrom } from '../support/backtest-runs.js';
import { runs } from '../support/runs.js';
import { aPlan } from '../support/sweeps.js';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 2, 1, 12);
const DOLLAR = 1_000_000n;
const PLAN = sweepPlanOf(aPlan(), 'p.json', '/');
const WINDOWS = windowsOf(PLAN, { began: new Date(NOON), ended: new Date(NOON) }, 'p.json');
/** More in `npm run soak`. */
const [VARIANTS, TAPES] = runs(1) === 1 ? [20, 40] : [200, 500];
const GAMES = 80;

/** A bet of ten dollars at a cost, fees included, that is won or lost. */
function aBetOn(game: number, cost: number, won: boolean): BetRow {
  const fees = DOLLAR / 10n;
  const shares = BigInt(Math.round(10_100_000 / cost));
  const at = NOON + game * HOUR;
  return aBetRow({
    id: `bet-${game}`,
    marketId: `m${game}` as MarketId,
    event: { id: `e${game}`, slug: null, title: null },
    firstFillAt: new Date(at),
    settledAt: new Date(at + HOUR),
    shares: shares as BetRow['shares'],
    held: shares as BetRow['held'],
    stake: (10n * DOLLAR) as Usdc,
    fees: fees as Usdc,
    profit: ((won ? shares : 0n) - 10n * DOLLAR - fees) as Usdc,
    result: won ? 'won' : 'lost',
  });
}

/** What a sweep says of so many variants, each of which bets on a side of about half of all games; the first has an edge, if there is one. */
function verdictOn(seed: number, edge = 0): SweepVerdict {
  const next = numbersFrom(seed * 7919 + 1);
  const games = Array.from({ length: GAMES }, () => ({ cost: 0.4 + 0.2 * next(), luck: next() }));
  const figures = Array.from({ length: VARIANTS }, (_, variant) => {
    const bets = games.flatMap(({ cost, luck }, game): readonly BetRow[] => {
      const [plays, second] = [next() < 0.5 || (variant === 0 && edge > 0), next() < 0.5];
      if (!plays) return [];
      const chance = cost + (variant === 0 ? edge : 0);
      return [second && edge === 0 ? aBetOn(game, 1 - cost, luck >= cost) : aBetOn(game, cost, luck < chance)];
    });
    const played = aPlayedStrategy(`v${variant}`, bets, { marks: [] });
    return variantFigures(played, { windows: WINDOWS, starts: new Map(), objective: 'yield_z' });
  });
  return sweepOutcome({
    id: '',
    version: '',
    plan: PLAN,
    tapes: [],
    windows: WINDOWS,
    variants: figures.map(({ name }) => ({ name, values: {}, body: {} })),
    groups: [{ id: '', group: 0, variants: figures, coverage: '1', gaps: 0, warnings: [] }],
    trials: { count: VARIANTS, since: null, file: '' },
  }).verdict;
}

it('the best of coin flips is more than chance in one sweep of twenty', { timeout: 3_600_000 }, () => {
  const verdicts = Array.from({ length: TAPES }, (_, seed) => verdictOn(seed));
  const part = (of: SweepVerdict) => verdicts.filter((verdict) => verdict === of).length / TAPES;
  expect(part('more than chance')).toBeLessThanOrEqual(0.05 + 2 * Math.sqrt((0.05 * 0.95) / TAPES));
  // Of 200 variants the best one is now and then one that played less than 30 games.
  expect(part('not enough bets')).toBeLessThanOrEqual(0.05);
});

it('an edge that the formula can find is found among coin flips', () => {
  // z is 0.3 √80 / √(0.5 × 0.5) = 5.4 on the average; the best of 20 trials needs 2.8, and that of 200 needs 3.5, which 97 in 100 have.
  const found = Array.from({ length: 10 }, (_, seed) => verdictOn(seed, 0.3));
  expect(found.filter((verdict) => verdict === 'more than chance').length).toBeGreaterThanOrEqual(9);
});
