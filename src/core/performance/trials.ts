/** From here on the tail is a continued fraction: the series would lose digits to cancellation. */
const SERIES_UP_TO = 2.5;
const FRACTIONS = 80;
const SMALLEST_TERM = 1e-18;

const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

/** 1 − Φ(z): how likely a normal value lies above `z`, to twelve digits. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  if (z < SERIES_UP_TO) return 0.5 - density(z) * areaSeries(z);
  let fraction = 0;
  for (let n = FRACTIONS; n > 0; n -= 1) fraction = n / (z + fraction);
  return density(z) / (z + fraction);
}

/** (Φ(z) − ½) over the density at `z`: z + z³/3 + z⁵/(3·5) + … */
function areaSeries(z: number): number {
  let [sum, term] = [z, z];
  for (let odd = 3; term > SMALLEST_TERM; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum;
}

const MOST_STEPS = 100;

/** The value that a normal one exceeds with this probability, between 0 and 1. */
export function normalTailQuantile(probability: number): number {
  if (probability > 0.5) return -normalTailQuantile(1 - probability);
  // Steps of Newton in the logarithm of the tail, which is nearly a parabola: from its leading term.
  let z = Math.sqrt(Math.max(0, -2 * Math.log(2 * probability)));
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const tail = normalTail(z);
    const moved = (Math.log(tail / probability) * tail) / density(z);
    z += moved;
    if (Math.abs(moved) < 1e-15 * Math.max(1, z)) break;
  }
  return z;
}

/**
 * How likely the best of so many independent trials without an edge has a z of at least this, by Šidák: 1 − Φ(z)^n. Trials that
 * are alike are fewer than they count, so that it is too large for them, never too small.
 */
export const chanceOfBest = (z: number, trials: number): number => -Math.expm1(trials * Math.log1p(-normalTail(z)));

/** The z that the best of so many trials without an edge exceeds with this probability. */
export const bestByChance = (probability: number, trials: number): number =>
  normalTailQuantile(-Math.expm1(Math.log1p(-probability) / trials));

const EULER_MASCHERONI = 0.577_215_664_901_532_9;

/** The Sharpe ratio to be expected of the best of so many trials without an edge, whose ratios have this variance. */
export function expectedBestSharpe(variance: number, trials: number): number {
  if (trials < 2) return 0;
  const [most, more] = [normalTailQuantile(1 / trials), normalTailQuantile(1 / (trials * Math.E))];
  return Math.sqrt(variance) * ((1 - EULER_MASCHERONI) * most + EULER_MASCHERONI * more);
}

/**
 * The deflated Sharpe ratio (Bailey and López de Prado): how likely the ratio of these returns is above `benchmark`, with regard to
 * their skewness and their raw kurtosis, which is 3 of normal ones. Both ratios are those of one period. Null without deviation.
 */
export function probabilisticSharpe(returns: readonly number[], benchmark: number): number | null {
  const n = returns.length;
  const mean = returns.reduce((sum, value) => sum + value, 0) / n;
  const moment = (power: number) => returns.reduce((sum, value) => sum + (value - mean) ** power, 0) / n;
  const variance = moment(2);
  if (n < 2 || variance <= 0) return null;
  const sharpe = mean / Math.sqrt((variance * n) / (n - 1));
  const skewness = moment(3) / variance ** 1.5;
  const kurtosis = moment(4) / variance ** 2;
  const squared = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;
  return normalTail((-(sharpe - benchmark) * Math.sqrt(n - 1)) / Math.sqrt(squared));
}
