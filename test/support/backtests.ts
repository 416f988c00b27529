import type { TapeLine } from '../../src/adapters/tape/index.js';
import type { BacktestBody, BacktestRun } from '../../src/backtest/index.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import type { Market } from '../../src/core/market/market.js';
import { formatMicro } from '../../src/core/money.js';
import { pastNoon } from '../adapters/tape/tapes.js';
import { aMatch, ends, inTime, says, shows, walk } from './match-day.js';

/** How prices move. */
const STEPS = { low: 30, high: 70, most: 3 };

const cents = (count: number): string => `0.${String(count).padStart(2, '0')}`;

/** Games that kick off together, 15 minutes after the first line of the tape. */
export const games = (many: number): readonly Market[] =>
  Array.from({ length: many }, (_, n) =>
    aMatch(`g${n}`, { league: n % 3 === 0 ? 'cup' : 'epl', startsAt: pastNoon(900_000) }, n % 2 === 0 ? '0' : '0.05'),
  );

/** An afternoon of games: all are described and shown at noon, their books move every 5 seconds for 20 minutes, and they end by turns. */
export function afternoonOf(played: readonly Market[]): TapeLine[] {
  const lines = played.flatMap((game) => [says(game, 0), shows(game, 0, '0.49', '0.51')]);
  for (const [n, game] of played.entries()) {
    const mids = walk(n + 1, STEPS);
    for (let second = 2 + (n % 5); second < 1200; second += 5) {
      const mid = mids.next().value;
      lines.push(shows(game, second, cents(mid - 1), cents(mid + 1)));
    }
    lines.push(ends(game, 1210 + n, n % 2 === 0 ? YES_WON : NO_WON));
  }
  return inTime(lines, 1300);
}

/** A body of `POST /v1/strategies` that backs the home team at odds of 1.9 and more. */
export function aBody(name: string, rules: BacktestBody = {}, more: BacktestBody = {}): BacktestBody {
  const all = { outcome: { index: 0 }, filter: { min_odds: '1.9' }, sizing: { method: 'flat', value: 10 }, ...rules };
  return { name, sport: 'soccer', rules: all, bankroll_cap: 1000, stake_cap: 50, ...more };
}

/** Strategies that bind each other in all ways: by caps, by counts, in time, by what they sell. */
export const BODIES: readonly BacktestBody[] = [
  aBody('homes'),
  aBody('few', { outcome: 'each', limits: { max_open: 3 } }),
  aBody('poor', { outcome: 'each' }, { bankroll_cap: 45 }),
  aBody('late', { window: { from: '-10m', to: '-1m' }, limits: { max_open: 2 } }),
  aBody('sells', { exit: { stop: { loss: '0.1' }, take_profit: { gain: '0.1' } } }),
  aBody('rests', { order: { time_in_force: 'GTC', give_up_after: '20s' } }),
  aBody('again', { outcome: 'each', limits: { max_bets_per_outcome: 3, cooldown: '30s' } }),
  aBody('against', { filter: { side: 'LAY', max_odds: '2.4' }, sizing: { method: 'fixed_liability', value: 20 } }),
];

/** All that a run says, as text. */
export const textOfRun = ({ played, ...run }: BacktestRun): string =>
  JSON.stringify(
    { ...run, played: played.map(({ skips, ...one }) => ({ ...one, skips: [...skips] })) },
    (name, value) => (name === 'eventHash' ? null : typeof value === 'bigint' ? formatMicro(value) : value),
  );
