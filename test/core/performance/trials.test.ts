import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  bestByChance,
  chanceOfBest,
  expectedBestSharpe,
  normalTail,
  normalTailQuantile,
  probabilisticSharpe,
} from '../../../src/core/performance/trials.js';

interface Golden {
  readonly tails: readonly { readonly z: number; readonly tail: number }[];
  readonly quantiles: readonly { readonly z: number; readonly tail: number }[];
  readonly best: readonly { readonly z: number; readonly trials: number; readonly chance: number }[];
  readonly bounds: readonly { readonly z: number; readonly trials: number; readonly probability: number }[];
  readonly sharpe: readonly {
    readonly returns: readonly number[];
    readonly trials: number;
    readonly variance: number;
    readonly chance: number;
    readonly value: number;
  }[];
}

const GOLDEN = JSON.parse(
  readFileSync(new URL('../../fixtures/measures/trials.json', import.meta.url), 'utf8'),
) as Golden;

/** Equal to 1e-9 of the larger one. */
function expectClose(actual: number | null, expected: number): void {
  expect(actual).not.toBeNull();
  expect(Math.abs((actual ?? Number.NaN) - expected)).toBeLessThanOrEqual(
    1e-9 * Math.abs(expected) + 1e-15 * +(expected === 0),
  );
}

describe('The statistics of many trials equal those of scipy', () => {
  test.each(GOLDEN.tails)('the normal tail above $z', ({ z, tail }) => expectClose(normalTail(z), tail));

  test.each(GOLDEN.quantiles)('the normal quantile of the tail $tail', ({ z, tail }) =>
    expectClose(normalTailQuantile(tail), z),
  );

  test.each(GOLDEN.best)('the chance that the best of $trials trials has z $z', ({ z, trials, chance }) =>
    expectClose(chanceOfBest(z, trials), chance),
  );

  test.each(GOLDEN.bounds)(
    'the z that $trials trials exceed with probability $probability',
    ({ z, trials, probability }) => expectClose(bestByChance(probability, trials), z),
  );

  test.each(GOLDEN.sharpe)(
    'the deflated Sharpe ratio of the best of $trials trials',
    ({ returns, trials, variance, ...golden }) => {
      const chance = expectedBestSharpe(variance, trials);
      expectClose(chance, golden.chance);
      expectClose(probabilisticSharpe(returns, chance), golden.value);
    },
  );
});

test('returns without deviation have no Sharpe ratio', () => {
  expect(probabilisticSharpe([0.01, 0.01, 0.01], 0)).toBeNull();
  expect(probabilisticSharpe([0.01], 0)).toBeNull();
});
