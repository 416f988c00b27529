import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Usdc } from '../../../src/core/money.js';
import type { BetRow } from '../../../src/core/performance/bet.js';
import { seededResampling } from '../../../src/core/performance/intervals.js';
import { type Measure, verdictOf } from '../../../src/core/performance/measure.js';
import { yieldOnTurnover } from '../../../src/core/performance/measures.js';
import { aBetRow } from '../../support/backtest-runs.js';
import { runs } from '../../support/runs.js';

/** Numbers from 0 to 1 (mulberry32): seeds that follow each other have nothing in common. */
function numbersOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const STAKE = 10_000_000;
const ROW = aBetRow();

/** Bets of 10 dollars at odds of 1.6 to 2.5, each on an event of its own, that win by `edge` more often than their price says. */
function season(seed: number, events: number, edge: number): readonly BetRow[] {
  const next = numbersOf(seed);
  return Array.from({ length: events }, (_, n) => {
    const odds = 1.6 + 0.9 * next();
    const profit = next() < (1 + edge) / odds ? Math.round(STAKE * (odds - 1)) : -STAKE;
    const event = { id: `${n}`, slug: null, title: null };
    return { ...ROW, event, stake: BigInt(STAKE) as Usdc, profit: BigInt(profit) as Usdc };
  });
}

/** The yields of so many seasons, each with its interval. */
const yieldsOf = (seeds: number, events: number, edge: number): readonly Measure[] =>
  Array.from({ length: seeds }, (_, seed) =>
    yieldOnTurnover({
      bets: season(seed + 1, events, edge),
      resampling: seededResampling(createHash('sha256').update(`${edge} ${seed}`).digest('hex')),
    }),
  );

/** The most that a part of so many trials differs from its probability, but once in a thousand times. */
const luckOf = (probability: number, trials: number): number =>
  3.29 * Math.sqrt((probability * (1 - probability)) / trials) + 0.5 / trials;

/** Φ, to 1e-7 (Abramowitz and Stegun, 26.2.17). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const sum = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
  return x > 0 ? 1 - tail : tail;
}

/** How likely the interval of the yield lies above 0: edge √n beside the deviation of a bet's return, (1 + edge)(d − 1 − edge) at odds d. */
function powerOf(edge: number, events: number): number {
  const meanOdds = (1.6 + 2.5) / 2;
  const deviation = Math.sqrt((1 + edge) * (meanOdds - 1 - edge));
  return normal((edge * Math.sqrt(events)) / deviation - 1.96);
}

describe('The yield of bets', () => {
  it('has an interval that holds 0 for 95 % of fair coin flips', () => {
    const seeds = Math.min(1000, runs(30));
    const yields = yieldsOf(seeds, 300, 0);
    const held = yields.filter(({ interval }) => interval !== null && interval[0] <= 0 && interval[1] >= 0).length;
    const [least, most] = seeds === 1000 ? [0.93, 0.97] : [0.95 - luckOf(0.95, seeds), 1];
    expect(held / seeds).toBeGreaterThanOrEqual(least);
    expect(held / seeds).toBeLessThanOrEqual(most);
  });

  it('shows an edge as often as the formula of power says', () => {
    const seeds = Math.min(1000, runs(15));
    const found = yieldsOf(seeds, 400, 0.1).filter((measure) => verdictOf(measure) === 'evidence').length;
    const power = powerOf(0.1, 400);
    expect(power).toBeCloseTo(0.5, 2);
    expect(Math.abs(found / seeds - power)).toBeLessThan(luckOf(power, seeds));
  });
});
