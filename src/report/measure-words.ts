import type { NoMeasure } from '../core/performance/measure.js';
import type { MeasureName } from '../core/performance/measures.js';
import { fixed, lengthText, percent, SLIPPAGE_WORDS } from './words.js';

/** How the value of a measure reads. */
type Unit = 'usdc' | 'part' | 'points' | 'seconds' | 'number';

interface MeasureWords {
  readonly title: string;
  readonly unit: Unit;
  /** How it is computed. */
  readonly formula: string;
}

/** Each measure in words. */
export const MEASURE_WORDS: Readonly<Record<MeasureName, MeasureWords>> = {
  profit_usdc: {
    title: 'Profit',
    unit: 'usdc',
    formula: 'What all bets earned after fees; open bets at what the bids would pay.',
  },
  turnover_usdc: { title: 'Turnover', unit: 'usdc', formula: 'The sum of the stakes of settled bets, before fees.' },
  yield: {
    title: 'Yield',
    unit: 'part',
    formula: 'Profit of settled bets over their turnover. Interval: bootstrap of whole events, 10,000 draws.',
  },
  yield_z: {
    title: 'z of the yield',
    unit: 'number',
    formula:
      'Profit over the deviation that it would have if no bet had an edge after fees: Σπ / √Σ k²(d − 1), with k paid at odds d. Above 2 is rare by luck alone.',
  },
  return_on_capital: {
    title: 'Return on capital',
    unit: 'part',
    formula: 'Profit of settled bets over the cash at the start.',
  },
  hit_rate: { title: 'Hit rate', unit: 'part', formula: 'Bets won over bets won or lost. Interval: Wilson.' },
  break_even_rate: {
    title: 'Hit rate that breaks even',
    unit: 'part',
    formula: 'The mean cost of a share, fees included, of bets won or lost.',
  },
  expectancy_usdc: {
    title: 'Profit per bet',
    unit: 'usdc',
    formula: 'Profit of settled bets over their number.',
  },
  profit_factor: {
    title: 'Profit factor',
    unit: 'number',
    formula: 'What winning bets earned over what losing bets lost.',
  },
  longest_losing_run: {
    title: 'Longest losing run',
    unit: 'number',
    formula: 'The most lost bets one after another, in the order in which they settled.',
  },
  longest_losing_run_expected: {
    title: 'Losing run to be expected',
    unit: 'number',
    formula: 'By chance, of n bets of which the part ℓ is lost: ln(n(1 − ℓ)) / ln(1/ℓ).',
  },
  max_drawdown: {
    title: 'Deepest drawdown',
    unit: 'part',
    formula: 'The deepest fall of equity below an earlier peak, over that peak. Equity is what the bids would pay.',
  },
  max_drawdown_usdc: { title: 'Lost in that drawdown', unit: 'usdc', formula: 'Equity at the peak less the trough.' },
  max_drawdown_seconds: {
    title: 'Length of that drawdown',
    unit: 'seconds',
    formula: 'From the peak until equity was there again, or to the end.',
  },
  clv_points: {
    title: 'Closing line value',
    unit: 'points',
    formula: 'Price of the close less the average price paid, weighted by stake; a point is a cent a share.',
  },
  clv_net: {
    title: 'Closing line value after fees',
    unit: 'part',
    formula: 'Fair price of the close over the cost of a share with fees, less 1, weighted by stake.',
  },
  clv_beat_rate: {
    title: 'Bets that beat the close, ties half',
    unit: 'part',
    formula:
      'Bets at a better price than the close over all with a close; an equal price counts half. Interval: Wilson.',
  },
  brier: {
    title: 'Brier score of the rules',
    unit: 'number',
    formula: 'Mean of (stated probability − result)², the result being 1 or 0. Less is better.',
  },
  brier_market: {
    title: 'Brier score of the market',
    unit: 'number',
    formula: 'The same of the middle of the book at the decision, for the same bets.',
  },
  brier_reliability: {
    title: 'Brier: reliability',
    unit: 'number',
    formula: 'Mean over ten bins of (mean forecast − rate that came true)². Less is better.',
  },
  brier_resolution: {
    title: 'Brier: resolution',
    unit: 'number',
    formula: 'Mean over the bins of (rate of the bin − rate of all)². More is better.',
  },
  brier_uncertainty: {
    title: 'Brier: uncertainty',
    unit: 'number',
    formula: 'Rate that came true × (1 − that rate).',
  },
  brier_within_variance: {
    title: 'Brier: variance within bins',
    unit: 'number',
    formula: 'Mean squared distance of forecasts from the mean of their bin.',
  },
  brier_within_covariance: {
    title: 'Brier: covariance within bins',
    unit: 'number',
    formula:
      'Twice the covariance of forecasts and results within bins. Score = reliability − resolution + uncertainty + variance − covariance.',
  },
  log_loss: {
    title: 'Log loss',
    unit: 'number',
    formula: 'Mean of −ln of the probability stated for what happened, held within 0.000001 and 0.999999.',
  },
  fees_usdc: { title: 'Fees', unit: 'usdc', formula: 'Fees of purchases and sales of settled bets.' },
  ...SLIPPAGE_WORDS,
  exposure_max: {
    title: 'Largest exposure',
    unit: 'part',
    formula: 'The largest part of equity that open bets and working orders put at risk at one time.',
  },
  sharpe_daily: {
    title: 'Sharpe ratio',
    unit: 'number',
    formula: 'Mean of daily returns over their sample deviation, × √365, no risk-free rate; from 30 days on.',
  },
  sortino_daily: {
    title: 'Sortino ratio',
    unit: 'number',
    formula: 'Mean of daily returns over √(Σ min(r, 0)² / days), × √365; from 30 days on.',
  },
  kelly_growth: {
    title: 'Growth per bet',
    unit: 'number',
    formula: 'ln(last equity / first equity) over the number of settled bets.',
  },
  kelly_growth_expected: {
    title: 'Growth per bet to be expected',
    unit: 'number',
    formula:
      'Mean of p ln(1 + s(d − 1)/E) + (1 − p) ln(1 − s/E), with the stated p, stake s, equity E at the last mark before the bet.',
  },
};

/** Why a measure does not exist. */
export const REASON_WORDS: Readonly<Record<NoMeasure, string>> = {
  no_bets: 'no settled bet',
  no_decided_bets: 'no bet was won or lost',
  no_stake: 'nothing was staked',
  no_capital: 'no cash at the start',
  no_mark: 'the mark of an open bet is not known',
  no_losses: 'no bet was lost',
  no_wins: 'no bet was won',
  sold_early: 'bets were sold before the result',
  no_variance: 'the result was certain at the price paid',
  no_equity: 'equity was not recorded for it',
  no_drawdown: 'equity never fell below a peak',
  no_close: 'no bet has a price of the close',
  no_probability: 'no probability was stated',
  no_price: 'the book at the decision is not known',
  short_span: 'fewer than 30 days',
  no_deviation: 'all days returned the same',
  no_losing_day: 'no day lost',
  needs_every_bet: 'it needs every bet, not only their sums',
};

const DASH = '–';
const SMALL = 0.001;

function numberText(value: number): string {
  if (Number.isInteger(value)) return fixed(value, 0);
  return fixed(value, Math.abs(value) < SMALL ? 6 : Math.abs(value) < 1 ? 4 : 2);
}

/** The value of a measure as people read it, from its decimal text; a dash where there is none. */
export function measureText(name: MeasureName, text: string | null): string {
  if (text === null) return DASH;
  const value = Number(text);
  const { unit } = MEASURE_WORDS[name];
  if (unit === 'usdc') return `${fixed(value, 2)} USDC`;
  if (unit === 'part') return percent(value, 2);
  if (unit === 'points') return `${fixed(value * 100, 2)} points`;
  return unit === 'seconds' ? lengthText(value) : numberText(value);
}
