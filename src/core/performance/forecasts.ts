import { formatMicro, ONE, type Price, type Ratio, ratioText } from '../money.js';
import { type Interval, wilsonInterval } from './intervals.js';
import { boundText, EXACT_DECIMALS } from './measure.js';

/** A probability that was stated before the result, in millionths, and the result. */
export interface Forecast {
  readonly probability: Price;
  readonly won: boolean;
}

/**
 * The Brier score, and its five terms over ten bins of equal width (Stephenson 2008): with unequal forecasts in a bin,
 * score = reliability − resolution + uncertainty + within-bin variance − within-bin covariance, exactly.
 */
export interface BrierTerms {
  readonly score: Ratio;
  readonly reliability: Ratio;
  readonly resolution: Ratio;
  readonly uncertainty: Ratio;
  readonly withinVariance: Ratio;
  readonly withinCovariance: Ratio;
}

const BINS = 10;
const SQUARE = ONE * ONE;

/** What the forecasts of one bin add up to; probabilities in millionths. */
export type ForecastBin = Readonly<Record<'count' | 'won' | 'sum' | 'squares' | 'sumWon', bigint>>;

type Bin = Record<keyof ForecastBin, bigint>;

/** What forecasts add up to in each bin; `sumWon` is of those that came true. */
export function binsOf(forecasts: readonly Forecast[]): readonly ForecastBin[] {
  const bins = Array.from({ length: BINS }, (): Bin => ({ count: 0n, won: 0n, sum: 0n, squares: 0n, sumWon: 0n }));
  for (const { probability, won } of forecasts) {
    const bin = bins[Math.min(BINS - 1, Number((probability * BigInt(BINS)) / ONE))];
    if (bin === undefined) continue;
    bin.count += 1n;
    bin.sum += probability;
    bin.squares += probability * probability;
    if (!won) continue;
    bin.won += 1n;
    bin.sumWon += probability;
  }
  return bins;
}

/** The bins without forecasts. */
export const NO_FORECASTS: readonly ForecastBin[] = binsOf([]);

/** Of these bins; null without forecasts. */
export function brierTerms(all: readonly ForecastBin[]): BrierTerms | null {
  const bins = all.filter(({ count }) => count > 0n);
  if (bins.length === 0) return null;
  const total = (of: (bin: ForecastBin) => bigint) => bins.reduce((sum, bin) => sum + of(bin), 0n);
  const n = total(({ count }) => count);
  const won = total((bin) => bin.won);
  // All terms over one denominator: that of the bins' means.
  const common = bins.reduce((product, { count }) => product * count, 1n);
  const binned = (of: (bin: ForecastBin) => bigint) => total((bin) => of(bin) * (common / bin.count));
  const over = (numerator: bigint): Ratio => ({ n: numerator, d: common * n * SQUARE });
  return {
    score: { n: total(({ squares, sumWon, won }) => squares - 2n * ONE * sumWon + SQUARE * won), d: n * SQUARE },
    reliability: over(binned((bin) => (bin.sum - ONE * bin.won) ** 2n)),
    resolution: { n: binned((bin) => (bin.won * n - won * bin.count) ** 2n), d: common * n ** 3n },
    uncertainty: { n: won * (n - won), d: n * n },
    withinVariance: over(binned(({ count, squares, sum }) => squares * count - sum * sum)),
    withinCovariance: over(binned((bin) => 2n * ONE * (bin.sumWon * bin.count - bin.sum * bin.won))),
  };
}

/** Forecasts nearer to 0 or 1 than this count as this: one that was certain and wrong would make the mean endless. */
export const LOG_LOSS_CLAMP = 1e-6;

/** The mean of −ln of the probability that was given to what happened; null without forecasts. */
export function logLoss(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  let sum = 0;
  for (const { probability, won } of forecasts) {
    const stated = Math.min(1 - LOG_LOSS_CLAMP, Math.max(LOG_LOSS_CLAMP, Number(probability) / Number(ONE)));
    sum -= Math.log(won ? stated : 1 - stated);
  }
  return sum / forecasts.length;
}

/** How often came true what was said to have a probability within these bounds. */
export interface CalibrationBin {
  /** In tenths; the upper bound belongs to the next bin, but for that of the last. */
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** The mean probability, and the rate that came true; null for an empty bin. */
  readonly forecast: Ratio | null;
  readonly won: Ratio | null;
  readonly interval: Interval | null;
}

/** All ten bins, empty ones too. */
export function calibration(forecasts: readonly Forecast[]): readonly CalibrationBin[] {
  return binsOf(forecasts).map(({ count, sum, won }, index) => ({
    from: index,
    to: index + 1,
    n: Number(count),
    forecast: count === 0n ? null : { n: sum, d: count * ONE },
    won: count === 0n ? null : { n: won, d: count },
    interval: wilsonInterval(Number(won), Number(count)),
  }));
}

/** A bin as decimal texts. */
export const writtenBin = ({ from, to, n, forecast, won, interval }: CalibrationBin) => ({
  from: tenths(from),
  to: tenths(to),
  n,
  forecast: forecast === null ? null : ratioText(forecast, EXACT_DECIMALS),
  won: won === null ? null : ratioText(won, EXACT_DECIMALS),
  low: interval === null ? null : boundText(interval[0]),
  high: interval === null ? null : boundText(interval[1]),
});

const tenths = (bound: number): string => formatMicro(BigInt(bound) * 100_000n);
