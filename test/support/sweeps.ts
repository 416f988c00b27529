import type { TapeLine } from '../../src/adapters/tape/index.js';
import { NO_WON, YES_WON } from '../../src/core/market/lifecycle.js';
import { pastNoon, tape } from '../adapters/tape/tapes.js';
import { numbersFrom } from './backtest-runs.js';
import { aBody } from './backtests.js';
import { aMatch, ends, says, shows } from './match-day.js';

/** A plan of two variants of `homes`. */
export const aPlan = (changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> => ({
  base: aBody('homes', { filter: {} }),
  grid: { '/rules/filter/min_odds': [1.5, 1.9] },
  tapes: ['season.jsonl'],
  ...changes,
});

const HOUR = 3600;
/** A game begins so long after it is first described, and ends an hour later. */
const BEFORE = 1200;

/**
 * A season of games of two leagues by turns, one every two hours, each at an offer from 0.42 to 0.59: its market and its book twenty
 * minutes before it starts, and its result. In the league `good` the first team wins so much more often than the offer says.
 */
export function aSeason(many: number, { seed = 1, edge = 0 } = {}): string {
  const next = numbersFrom(seed);
  const lines = Array.from({ length: many }, (_, n): readonly TapeLine[] => {
    const second = n * 2 * HOUR;
    const league = n % 2 === 0 ? 'good' : 'fair';
    const game = aMatch(`s${n}`, { league, startsAt: pastNoon((second + BEFORE) * 1000) });
    const offer = 42 + Math.floor(next() * 18);
    const won = next() < offer / 100 + (league === 'good' ? edge : 0);
    return [
      says(game, second),
      shows(game, second + 1, `0.${offer - 2}`, `0.${offer}`),
      { at: pastNoon((second + 25) * 1000), type: 'alive' },
      ends(game, second + BEFORE + HOUR, won ? YES_WON : NO_WON),
    ];
  });
  return tape(...lines.flat().sort((a, b) => a.at.getTime() - b.at.getTime()));
}
