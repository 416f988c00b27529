import { minus, ONE, type Ratio, type Usdc } from '../money.js';
import { type BetRow, bySettlement, isDecided, isSettled, outlayOf } from './bet.js';
import { type BetSums, eventReturns, SUMMED_SCALE, statedBets, statedForecasts, sumsOf } from './bet-sums.js';
import {
  dailyReturns,
  type EquityReading,
  equityBefore,
  FEWEST_DAYS,
  maxDrawdown,
  maxExposure,
  sharpeRatio,
  sortinoRatio,
} from './equity.js';
import { type BrierTerms, brierTerms, type ForecastBin, logLoss } from './forecasts.js';
import {
  bootstrapYieldInterval,
  type Interval,
  NO_RETURNS,
  normalYieldInterval,
  type Resampling,
  type ReturnSums,
  wilsonInterval,
  withReturn,
} from './intervals.js';
import { approximate, exact, integer, type Measure, money, type NoMeasure, none, rooted } from './measure.js';

/** What measures are made of: bets and marks of one account or strategy, of one kind of money. */
export interface Performance {
  /** Open ones too. */
  readonly bets: readonly BetRow[];
  /** In order of time; none where equity was not recorded. */
  readonly marks: readonly EquityReading[];
  /** The marks of an account that others had too; absent where `marks` has them. */
  readonly sharedMarks?: readonly EquityReading[];
  /** What it began with. */
  readonly capital: Usdc;
  readonly resampling: Resampling;
}

/** What sums do not say of the bets that they are of. */
export interface BesideSums {
  /** What open bets earned, at their marks; null where a mark is not known. */
  readonly openProfit: Usdc | null;
  /** What the account began with; null where that is not known. */
  readonly capital: Usdc | null;
}

/** Profit of all bets, open ones at their mark. */
function profitUsdc({ of }: BetSums, { openProfit }: BesideSums): Measure {
  const all = Number(of.all);
  return openProfit === null ? none('no_mark', all) : money(of.profit + openProfit, all);
}

const turnoverUsdc = ({ of }: BetSums): Measure => money(of.stake, Number(of.settled));

/** Σ profit / Σ stake of settled bets, with its interval over events. */
function yieldMeasure({ stake, profit, events }: ReturnSums, interval: () => Interval | null): Measure {
  if (events === 0) return none('no_bets');
  return stake === 0n ? none('no_stake', events) : exact({ n: profit, d: stake }, events, interval());
}

/** With the bootstrap interval. */
export function yieldOnTurnover({ bets, resampling }: Pick<Performance, 'bets' | 'resampling'>): Measure {
  const events = eventReturns(bets);
  return yieldMeasure(events.reduce(withReturn, NO_RETURNS), () => bootstrapYieldInterval(events, resampling));
}

/** With the interval by the normal approximation. */
export const yieldOfSums = ({ returns }: BetSums): Measure => yieldMeasure(returns, () => normalYieldInterval(returns));

/**
 * Σ profit / √Σ k²(d − 1), with k paid for q shares and d = q/k. Where the true probability of each bet is 1/d, which is no edge after fees,
 * the variance of its profit is k²(d − 1), so that this is a standard normal value.
 */
function yieldZ({ of }: BetSums): Measure {
  if (of.soldEarly > 0n) return none('sold_early', Number(of.settled));
  const decided = Number(of.decided);
  if (decided === 0) return none('no_decided_bets');
  if (of.variance <= 0n) return none('no_variance', decided);
  return rooted(Number(of.profitDecided) / Math.sqrt(Number(of.variance)), decided);
}

function returnOnCapital({ of }: BetSums, { capital }: BesideSums): Measure {
  const settled = Number(of.settled);
  if (settled === 0) return none('no_bets');
  if (capital === null || capital <= 0n) return none('no_capital', settled);
  return exact({ n: of.profit, d: capital }, settled);
}

/** How many of the bets that were won or lost were won, with Wilson's interval. */
function hitRate({ of }: BetSums): Measure {
  const [won, decided] = [Number(of.won), Number(of.decided)];
  if (decided === 0) return none('no_decided_bets');
  return exact({ n: of.won, d: of.decided }, decided, wilsonInterval(won, decided));
}

/** The mean cost of a share, fees included: the hit rate at which bets of one size break even. */
function breakEvenRate({ of }: BetSums): Measure {
  if (of.decided === 0n) return none('no_decided_bets');
  return exact({ n: of.costOfShares, d: SUMMED_SCALE * of.decided }, Number(of.decided));
}

function expectancyUsdc({ of }: BetSums): Measure {
  return of.settled === 0n ? none('no_bets') : exact({ n: of.profit, d: ONE * of.settled }, Number(of.settled));
}

/** What winning bets earned over what losing bets lost. */
function profitFactor({ of }: BetSums): Measure {
  const settled = Number(of.settled);
  if (settled === 0) return none('no_bets');
  return of.lost === 0n ? none('no_losses', settled) : exact({ n: of.gained, d: of.lost }, settled);
}

/** The most lost bets one after another, as they settled; a void, split or sold bet neither counts nor ends a run. */
function longestLosingRun({ bets }: Performance): Measure {
  const decided = bets.filter(isDecided).sort(bySettlement);
  let longest = 0;
  let run = 0;
  for (const { result } of decided) {
    run = result === 'lost' ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return decided.length === 0 ? none('no_decided_bets') : integer(longest, decided.length);
}

/** The longest run to be expected of n bets of which the part ℓ is lost: ln(n(1 − ℓ)) / ln(1/ℓ). */
function longestLosingRunExpected({ of }: BetSums): Measure {
  const [won, n] = [Number(of.won), Number(of.decided)];
  if (n === 0) return none('no_decided_bets');
  if (won === n) return none('no_losses', n);
  if (won === 0) return none('no_wins', n);
  return approximate(Math.log(won) / Math.log(n / (n - won)), n);
}

const drawdownMeasure =
  (of: (deepest: NonNullable<ReturnType<typeof maxDrawdown>>, n: number) => Measure) =>
  ({ marks }: Performance): Measure => {
    if (marks.length === 0) return none('no_equity');
    const deepest = maxDrawdown(marks);
    return deepest === null ? none('no_drawdown', marks.length) : of(deepest, marks.length);
  };

/** A mean of closing line values, weighted by stake. */
const closingValue =
  (name: 'clvPoints' | 'clvNet') =>
  ({ of }: BetSums): Measure => {
    if (of.closed === 0n || of.stakeClosed === 0n) return none('no_close');
    return exact({ n: of[name], d: of.stakeClosed * SUMMED_SCALE }, Number(of.closed));
  };

/** How many bets had a better price than the close; an equal one counts half. */
function clvBeatRate({ of }: BetSums): Measure {
  const closed = Number(of.closed);
  if (closed === 0) return none('no_close');
  const ratio = { n: of.halvesBeaten, d: 2n * of.closed };
  return exact(ratio, closed, wilsonInterval(Number(of.halvesBeaten) / 2, closed));
}

const countOf = (bins: readonly ForecastBin[]): number => bins.reduce((sum, { count }) => sum + Number(count), 0);

const brierMeasure =
  (of: (terms: BrierTerms) => Ratio) =>
  ({ forecasts }: BetSums): Measure => {
    const terms = brierTerms(forecasts);
    return terms === null ? none('no_probability') : exact(of(terms), countOf(forecasts));
  };

/** The Brier score of the mid when those bets were decided. */
function brierMarket({ forecasts, mids }: BetSums): Measure {
  const terms = brierTerms(mids);
  if (terms === null) return none(countOf(forecasts) === 0 ? 'no_probability' : 'no_price');
  return exact(terms.score, countOf(mids));
}

function logLossMeasure({ bets }: Performance): Measure {
  const forecasts = statedForecasts(bets);
  const loss = logLoss(forecasts);
  return loss === null ? none('no_probability') : approximate(loss, forecasts.length);
}

const feesUsdc = ({ of }: BetSums): Measure => money(of.fees, Number(of.settled));

/** A part of the slippage per share: the mean over all shares, above 0 where it cost. */
const slippage =
  (name: 'spread' | 'delay' | 'depth') =>
  ({ of }: BetSums): Measure =>
    of.sharesSlipped === 0n ? none('no_price') : exact({ n: of[name], d: of.sharesSlipped * ONE }, Number(of.slipped));

const overDays =
  (ratio: (returns: readonly number[]) => number | null, missing: NoMeasure) =>
  ({ marks }: Performance): Measure => {
    if (marks.length === 0) return none('no_equity');
    const returns = dailyReturns(marks);
    if (returns.length < FEWEST_DAYS) return none('short_span', returns.length);
    const value = ratio(returns);
    return value === null ? none(missing, returns.length) : rooted(value, returns.length);
  };

/** ln(last equity / first equity) per settled bet, without deposits. */
function kellyGrowth({ bets, marks }: Performance): Measure {
  const n = bets.filter(isSettled).length;
  const [first] = marks;
  if (n === 0) return none('no_bets');
  if (first === undefined || first.equity <= 0n) return none('no_equity', n);
  const last = (marks.at(-1) ?? first).equity - marks.slice(1).reduce((sum, { deposited }) => sum + deposited, 0n);
  return last <= 0n ? none('no_equity', n) : approximate(Math.log(Number(last) / Number(first.equity)) / n, n);
}

/**
 * The mean of p ln(1 + s(d − 1)/E) + (1 − p) ln(1 − s/E) over bets with a stated probability, at the equity of the account before each: of
 * its last mark, or with open bets at cost where it has no marks.
 */
function kellyGrowthExpected({ bets, marks, sharedMarks = marks }: Performance): Measure {
  let total = 0;
  let n = 0;
  for (const bet of statedBets(bets)) {
    const { probability, stake, shares } = bet;
    const equity = equityBefore(sharedMarks, bet.firstFillAt) ?? bet.equityAtEntry;
    if (equity === null || equity <= stake) continue;
    const part = Number(stake) / Number(equity);
    const p = Number(probability) / Number(ONE);
    const odds = Number(shares) / Number(outlayOf(bet));
    total += p * Math.log(1 + part * (odds - 1)) + (1 - p) * Math.log(1 - part);
    n += 1;
  }
  return n === 0 ? none('no_probability') : approximate(total / n, n);
}

/** Bets of an account that had others have no equity of their own. */
const noEquity = (): Measure => none('no_equity');
const noGrowth = ({ of }: BetSums): Measure => none(of.settled === 0n ? 'no_bets' : 'no_equity', Number(of.settled));

/** What `n` of a measure counts. */
export type CountedUnit = 'settled events' | 'bets' | 'days' | 'marks';

interface MeasureRow {
  readonly name: string;
  readonly counts: CountedUnit;
  /** Where more than sums is needed, or another interval is had of it. */
  readonly of?: (performance: Performance, sums: BetSums) => Measure;
  /** Where it follows from sums, and what is known beside them. */
  readonly ofSums?: (sums: BetSums, beside: BesideSums) => Measure;
}

/** Every measure, in the order in which they are shown. */
export const MEASURES = [
  { name: 'profit_usdc', counts: 'bets', ofSums: profitUsdc },
  { name: 'turnover_usdc', counts: 'bets', ofSums: turnoverUsdc },
  { name: 'yield', counts: 'settled events', of: yieldOnTurnover, ofSums: yieldOfSums },
  { name: 'yield_z', counts: 'bets', ofSums: yieldZ },
  { name: 'return_on_capital', counts: 'bets', ofSums: returnOnCapital },
  { name: 'hit_rate', counts: 'bets', ofSums: hitRate },
  { name: 'break_even_rate', counts: 'bets', ofSums: breakEvenRate },
  { name: 'expectancy_usdc', counts: 'bets', ofSums: expectancyUsdc },
  { name: 'profit_factor', counts: 'bets', ofSums: profitFactor },
  { name: 'longest_losing_run', counts: 'bets', of: longestLosingRun },
  { name: 'longest_losing_run_expected', counts: 'bets', ofSums: longestLosingRunExpected },
  { name: 'max_drawdown', counts: 'marks', of: drawdownMeasure(({ depth }, n) => exact(depth, n)), ofSums: noEquity },
  {
    name: 'max_drawdown_usdc',
    counts: 'marks',
    of: drawdownMeasure(({ lost }, n) => money(lost, n)),
    ofSums: noEquity,
  },
  {
    name: 'max_drawdown_seconds',
    counts: 'marks',
    of: drawdownMeasure(({ seconds }, n) => integer(seconds, n)),
    ofSums: noEquity,
  },
  { name: 'clv_points', counts: 'bets', ofSums: closingValue('clvPoints') },
  { name: 'clv_net', counts: 'bets', ofSums: closingValue('clvNet') },
  { name: 'clv_beat_rate', counts: 'bets', ofSums: clvBeatRate },
  { name: 'brier', counts: 'bets', ofSums: brierMeasure(({ score }) => score) },
  { name: 'brier_market', counts: 'bets', ofSums: brierMarket },
  { name: 'brier_reliability', counts: 'bets', ofSums: brierMeasure(({ reliability }) => reliability) },
  { name: 'brier_resolution', counts: 'bets', ofSums: brierMeasure(({ resolution }) => resolution) },
  { name: 'brier_uncertainty', counts: 'bets', ofSums: brierMeasure(({ uncertainty }) => uncertainty) },
  { name: 'brier_within_variance', counts: 'bets', ofSums: brierMeasure(({ withinVariance }) => withinVariance) },
  { name: 'brier_within_covariance', counts: 'bets', ofSums: brierMeasure(({ withinCovariance }) => withinCovariance) },
  { name: 'log_loss', counts: 'bets', of: logLossMeasure },
  { name: 'fees_usdc', counts: 'bets', ofSums: feesUsdc },
  { name: 'slippage_spread', counts: 'bets', ofSums: slippage('spread') },
  { name: 'slippage_delay', counts: 'bets', ofSums: slippage('delay') },
  { name: 'slippage_depth', counts: 'bets', ofSums: slippage('depth') },
  { name: 'exposure_max', counts: 'marks', of: exposureMax, ofSums: noEquity },
  { name: 'sharpe_daily', counts: 'days', of: overDays(sharpeRatio, 'no_deviation'), ofSums: noEquity },
  { name: 'sortino_daily', counts: 'days', of: overDays(sortinoRatio, 'no_losing_day'), ofSums: noEquity },
  { name: 'kelly_growth', counts: 'bets', of: kellyGrowth, ofSums: noGrowth },
  { name: 'kelly_growth_expected', counts: 'bets', of: kellyGrowthExpected },
] as const satisfies readonly MeasureRow[];

/** The name of a measure. */
export type MeasureName = (typeof MEASURES)[number]['name'];

function exposureMax({ marks }: Performance): Measure {
  const most = maxExposure(marks);
  return most === null ? none('no_equity') : exact(most, marks.length);
}

/** Every measure by its name. */
export type MeasuresByName = Readonly<Record<MeasureName, Measure>>;

const named = (of: (row: MeasureRow & { readonly name: MeasureName }) => Measure): MeasuresByName =>
  Object.fromEntries(MEASURES.map((row) => [row.name, of(row)])) as Record<MeasureName, Measure>;

const unknown = ({ of }: BetSums): Measure => none('needs_every_bet', Number(of.settled));

/** All measures by name; those that are `known` already are not computed again. */
export function measuresOf(performance: Performance, known: Partial<MeasuresByName> = {}): MeasuresByName {
  const { bets, capital } = performance;
  const sums = sumsOf(bets);
  const beside = { openProfit: minus(sums.of.profitOfAll as Usdc, sums.of.profit as Usdc), capital };
  return named(
    ({ name, of, ofSums = unknown }) =>
      known[name] ?? (of === undefined ? ofSums(sums, beside) : of(performance, sums)),
  );
}

/** The measures that follow from sums alone, with intervals by the normal approximation; the others are null. */
export const measuresOfSums = (sums: BetSums, beside: BesideSums): MeasuresByName =>
  named(({ ofSums = unknown }) => ofSums(sums, beside));
