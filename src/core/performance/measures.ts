import type { QuotedPrices } from '../market/book.js';
import { ONE, type Price, type Ratio, type Usdc } from '../money.js';
import { type BetRow, bySettlement, type ClosePrice, eventKey, isDecided, isSettled, outlayOf } from './bet.js';
import {
  dailyReturns,
  type EquityReading,
  FEWEST_DAYS,
  maxDrawdown,
  maxExposure,
  sharpeRatio,
  sortinoRatio,
} from './equity.js';
import { type BrierTerms, brierTerms, type Forecast, logLoss } from './forecasts.js';
import { bootstrapYieldInterval, type EventReturn, type Resampling, wilsonInterval } from './intervals.js';
import { approximate, exact, integer, type Measure, money, type NoMeasure, none, rooted } from './measure.js';

/** What measures are made of: bets and marks of one account or strategy, of one kind of money. */
export interface Performance {
  /** Open ones too. */
  readonly bets: readonly BetRow[];
  /** In order of time; none where equity was not recorded. */
  readonly marks: readonly EquityReading[];
  /** What it began with. */
  readonly capital: Usdc;
  readonly resampling: Resampling;
}

const sum = <T>(items: readonly T[], of: (item: T) => bigint): bigint =>
  items.reduce((total, item) => total + of(item), 0n);

/** The returns of settled bets, added up by event, in order of their first bet. */
export function eventReturns(bets: readonly BetRow[]): readonly EventReturn[] {
  const events = new Map<string, EventReturn>();
  for (const bet of bets.filter(isSettled)) {
    const { stake, profit } = events.get(eventKey(bet)) ?? { stake: 0n, profit: 0n };
    events.set(eventKey(bet), { stake: stake + bet.stake, profit: profit + bet.profit });
  }
  return [...events.values()];
}

/** Profit of all bets, open ones at their mark. */
function profitUsdc({ bets }: Performance): Measure {
  return money(
    sum(bets, ({ profit }) => profit),
    bets.length,
  );
}

function turnoverUsdc({ bets }: Performance): Measure {
  const settled = bets.filter(isSettled);
  return money(
    sum(settled, ({ stake }) => stake),
    settled.length,
  );
}

/** Σ profit / Σ stake of settled bets, with its bootstrap interval over events. */
export function yieldOnTurnover({ bets, resampling }: Pick<Performance, 'bets' | 'resampling'>): Measure {
  const events = eventReturns(bets);
  const stake = sum(events, (event) => event.stake);
  if (events.length === 0) return none('no_bets');
  if (stake === 0n) return none('no_stake', events.length);
  const profit = sum(events, (event) => event.profit);
  return exact({ n: profit, d: stake }, events.length, bootstrapYieldInterval(events, resampling));
}

/**
 * Σ profit / √Σ k²(d − 1), with k paid for q shares and d = q/k. Where the true probability of each bet is 1/d, which is no edge after fees,
 * the variance of its profit is k²(d − 1), so that this is a standard normal value.
 */
function yieldZ({ bets }: Performance): Measure {
  const settled = bets.filter(isSettled);
  if (settled.some(({ soldFor, result }) => soldFor > 0n || result === 'closed_early'))
    return none('sold_early', settled.length);
  const decided = settled.filter(isDecided);
  if (decided.length === 0) return none('no_decided_bets');
  const variance = sum(decided, (bet) => outlayOf(bet) * (bet.shares - outlayOf(bet)));
  if (variance <= 0n) return none('no_variance', decided.length);
  const profit = sum(decided, (bet) => bet.profit);
  return rooted(Number(profit) / Math.sqrt(Number(variance)), decided.length);
}

function returnOnCapital({ bets, capital }: Performance): Measure {
  const settled = bets.filter(isSettled);
  if (settled.length === 0) return none('no_bets');
  if (capital <= 0n) return none('no_capital', settled.length);
  return exact({ n: sum(settled, ({ profit }) => profit), d: capital }, settled.length);
}

/** How many of the bets that were won or lost were won, with Wilson's interval. */
function hitRate({ bets }: Performance): Measure {
  const decided = bets.filter(isDecided);
  if (decided.length === 0) return none('no_decided_bets');
  const won = decided.filter(({ result }) => result === 'won').length;
  return exact({ n: BigInt(won), d: BigInt(decided.length) }, decided.length, wilsonInterval(won, decided.length));
}

/** The mean cost of a share, fees included: the hit rate at which bets of one size break even. */
function breakEvenRate({ bets }: Performance): Measure {
  const decided = bets.filter(isDecided);
  if (decided.length === 0) return none('no_decided_bets');
  return exact(meanOf(decided.map((bet) => ({ n: outlayOf(bet), d: bet.shares }))), decided.length);
}

/** The mean of fractions, exact while their digits are few, else to 10⁻³⁰. */
function meanOf(ratios: readonly Ratio[]): Ratio {
  const scale = 10n ** 30n;
  const total = ratios.reduce((whole, { n, d }) => whole + (n * scale) / d, 0n);
  return { n: total, d: scale * BigInt(ratios.length) };
}

function expectancyUsdc({ bets }: Performance): Measure {
  const settled = bets.filter(isSettled);
  if (settled.length === 0) return none('no_bets');
  return exact({ n: sum(settled, ({ profit }) => profit), d: ONE * BigInt(settled.length) }, settled.length);
}

/** What winning bets earned over what losing bets lost. */
function profitFactor({ bets }: Performance): Measure {
  const settled = bets.filter(isSettled);
  if (settled.length === 0) return none('no_bets');
  const gained = sum(settled, ({ profit }) => (profit > 0n ? profit : 0n));
  const lost = sum(settled, ({ profit }) => (profit < 0n ? -profit : 0n));
  return lost === 0n ? none('no_losses', settled.length) : exact({ n: gained, d: lost }, settled.length);
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
function longestLosingRunExpected({ bets }: Performance): Measure {
  const decided = bets.filter(isDecided);
  const n = decided.length;
  const won = decided.filter(({ result }) => result === 'won').length;
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

/** Bets before the start with a price of the close. */
const closedBets = (bets: readonly BetRow[]): readonly (BetRow & { readonly close: ClosePrice })[] =>
  bets.filter((bet): bet is BetRow & { readonly close: ClosePrice } => isSettled(bet) && typeof bet.close !== 'string');

/** A mean of closing line values, weighted by stake. */
const closingValue =
  (of: (bet: BetRow & { readonly close: ClosePrice }) => Ratio) =>
  ({ bets }: Performance): Measure => {
    const closed = closedBets(bets);
    const stake = sum(closed, (bet) => bet.stake);
    if (closed.length === 0 || stake === 0n) return none('no_close');
    const scale = 10n ** 30n;
    const total = sum(closed, (bet) => {
      const { n, d } = of(bet);
      return (bet.stake * n * scale) / d;
    });
    return exact({ n: total, d: stake * scale }, closed.length);
  };

/** The price of the close less the average price that was paid. */
const clvPoints = closingValue(({ close, stake, shares }) => ({
  n: close.price * shares - stake * ONE,
  d: shares * ONE,
}));

/** The fair price of the close over what a share cost with its fees, less 1. */
const clvNet = closingValue((bet) => {
  const { fair } = bet.close;
  const outlay = outlayOf(bet);
  return { n: fair.n * bet.shares - outlay * fair.d, d: outlay * fair.d };
});

/** How many bets had a better price than the close; an equal one counts half. */
function clvBeatRate({ bets }: Performance): Measure {
  const closed = closedBets(bets);
  if (closed.length === 0) return none('no_close');
  let halves = 0;
  for (const { close, stake, shares } of closed) {
    const better = close.price * shares - stake * ONE;
    halves += better > 0n ? 2 : better === 0n ? 1 : 0;
  }
  const ratio = { n: BigInt(halves), d: BigInt(2 * closed.length) };
  return exact(ratio, closed.length, wilsonInterval(halves / 2, closed.length));
}

/** Bets that were won or lost, and had a stated probability. */
const statedBets = (bets: readonly BetRow[]): readonly (BetRow & { readonly probability: Price })[] =>
  bets.filter((bet): bet is BetRow & { readonly probability: Price } => isDecided(bet) && bet.probability !== null);

/** The forecasts of bets with a stated probability. */
export const statedForecasts = (bets: readonly BetRow[]): readonly Forecast[] =>
  statedBets(bets).map(({ probability, result }) => ({ probability, won: result === 'won' }));

const brierMeasure =
  (of: (terms: BrierTerms) => Ratio) =>
  ({ bets }: Performance): Measure => {
    const forecasts = statedForecasts(bets);
    const terms = brierTerms(forecasts);
    return terms === null ? none('no_probability') : exact(of(terms), forecasts.length);
  };

/** The Brier score of the mid when those bets were decided. */
function brierMarket({ bets }: Performance): Measure {
  const stated = statedBets(bets);
  const forecasts = stated.flatMap(({ atDecision, result }): Forecast[] =>
    atDecision === null || atDecision.mid === null ? [] : [{ probability: atDecision.mid, won: result === 'won' }],
  );
  const terms = brierTerms(forecasts);
  if (terms === null) return none(stated.length === 0 ? 'no_probability' : 'no_price');
  return exact(terms.score, forecasts.length);
}

function logLossMeasure({ bets }: Performance): Measure {
  const forecasts = statedForecasts(bets);
  const loss = logLoss(forecasts);
  return loss === null ? none('no_probability') : approximate(loss, forecasts.length);
}

function feesUsdc({ bets }: Performance): Measure {
  const settled = bets.filter(isSettled);
  return money(
    sum(settled, ({ fees }) => fees),
    settled.length,
  );
}

/** A settled bet of which both books are known. */
interface Slipped {
  readonly stake: bigint;
  readonly shares: bigint;
  readonly decision: { readonly best: Price; readonly mid: Price };
  readonly arrival: { readonly best: Price };
}

const hasPrices = (at: QuotedPrices | null): at is { best: Price; mid: Price } =>
  at !== null && at.best !== null && at.mid !== null;

function slippedBets(bets: readonly BetRow[]): readonly Slipped[] {
  return bets.filter(isSettled).flatMap(({ stake, shares, atDecision, atArrival }): Slipped[] => {
    if (!hasPrices(atDecision) || atArrival === null || atArrival.best === null) return [];
    return [{ stake, shares, decision: atDecision, arrival: { best: atArrival.best } }];
  });
}

/** A part of the slippage per share: the mean over all shares, above 0 where it cost. `of` is that of a bet, times its shares. */
const slippage =
  (of: (bet: Slipped) => bigint) =>
  ({ bets }: Performance): Measure => {
    const slipped = slippedBets(bets);
    const shares = sum(slipped, (bet) => bet.shares);
    if (shares === 0n) return none('no_price');
    return exact({ n: sum(slipped, of), d: shares * ONE }, slipped.length);
  };

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
  const last = (marks.at(-1) ?? first).equity - sum(marks.slice(1), ({ deposited }) => deposited);
  return last <= 0n ? none('no_equity', n) : approximate(Math.log(Number(last) / Number(first.equity)) / n, n);
}

/** The mean of p ln(1 + s(d − 1)/E) + (1 − p) ln(1 − s/E) over bets with a stated probability, at the equity before each. */
function kellyGrowthExpected({ bets }: Performance): Measure {
  let total = 0;
  let n = 0;
  for (const bet of statedBets(bets)) {
    const { probability, stake, shares, equityAtEntry } = bet;
    if (equityAtEntry === null || equityAtEntry <= stake) continue;
    const part = Number(stake) / Number(equityAtEntry);
    const p = Number(probability) / Number(ONE);
    const odds = Number(shares) / Number(outlayOf(bet));
    total += p * Math.log(1 + part * (odds - 1)) + (1 - p) * Math.log(1 - part);
    n += 1;
  }
  return n === 0 ? none('no_probability') : approximate(total / n, n);
}

/** What `n` of a measure counts. */
export type CountedUnit = 'settled events' | 'bets' | 'days' | 'marks';

interface MeasureRow {
  readonly name: string;
  readonly counts: CountedUnit;
  readonly of: (performance: Performance) => Measure;
}

/** Every measure, in the order in which they are shown. */
export const MEASURES = [
  { name: 'profit_usdc', counts: 'bets', of: profitUsdc },
  { name: 'turnover_usdc', counts: 'bets', of: turnoverUsdc },
  { name: 'yield', counts: 'settled events', of: yieldOnTurnover },
  { name: 'yield_z', counts: 'bets', of: yieldZ },
  { name: 'return_on_capital', counts: 'bets', of: returnOnCapital },
  { name: 'hit_rate', counts: 'bets', of: hitRate },
  { name: 'break_even_rate', counts: 'bets', of: breakEvenRate },
  { name: 'expectancy_usdc', counts: 'bets', of: expectancyUsdc },
  { name: 'profit_factor', counts: 'bets', of: profitFactor },
  { name: 'longest_losing_run', counts: 'bets', of: longestLosingRun },
  { name: 'longest_losing_run_expected', counts: 'bets', of: longestLosingRunExpected },
  { name: 'max_drawdown', counts: 'marks', of: drawdownMeasure(({ depth }, n) => exact(depth, n)) },
  { name: 'max_drawdown_usdc', counts: 'marks', of: drawdownMeasure(({ lost }, n) => money(lost, n)) },
  { name: 'max_drawdown_seconds', counts: 'marks', of: drawdownMeasure(({ seconds }, n) => integer(seconds, n)) },
  { name: 'clv_points', counts: 'bets', of: clvPoints },
  { name: 'clv_net', counts: 'bets', of: clvNet },
  { name: 'clv_beat_rate', counts: 'bets', of: clvBeatRate },
  { name: 'brier', counts: 'bets', of: brierMeasure(({ score }) => score) },
  { name: 'brier_market', counts: 'bets', of: brierMarket },
  { name: 'brier_reliability', counts: 'bets', of: brierMeasure(({ reliability }) => reliability) },
  { name: 'brier_resolution', counts: 'bets', of: brierMeasure(({ resolution }) => resolution) },
  { name: 'brier_uncertainty', counts: 'bets', of: brierMeasure(({ uncertainty }) => uncertainty) },
  { name: 'brier_within_variance', counts: 'bets', of: brierMeasure(({ withinVariance }) => withinVariance) },
  { name: 'brier_within_covariance', counts: 'bets', of: brierMeasure(({ withinCovariance }) => withinCovariance) },
  { name: 'log_loss', counts: 'bets', of: logLossMeasure },
  { name: 'fees_usdc', counts: 'bets', of: feesUsdc },
  {
    name: 'slippage_spread',
    counts: 'bets',
    of: slippage(({ shares, decision }) => (decision.best - decision.mid) * shares),
  },
  {
    name: 'slippage_delay',
    counts: 'bets',
    of: slippage(({ shares, decision, arrival }) => (arrival.best - decision.best) * shares),
  },
  {
    name: 'slippage_depth',
    counts: 'bets',
    of: slippage(({ stake, shares, arrival }) => stake * ONE - arrival.best * shares),
  },
  { name: 'exposure_max', counts: 'marks', of: exposureMax },
  { name: 'sharpe_daily', counts: 'days', of: overDays(sharpeRatio, 'no_deviation') },
  { name: 'sortino_daily', counts: 'days', of: overDays(sortinoRatio, 'no_losing_day') },
  { name: 'kelly_growth', counts: 'bets', of: kellyGrowth },
  { name: 'kelly_growth_expected', counts: 'bets', of: kellyGrowthExpected },
] as const satisfies readonly MeasureRow[];

/** The name of a measure. */
export type MeasureName = (typeof MEASURES)[number]['name'];

function exposureMax({ marks }: Performance): Measure {
  const most = maxExposure(marks);
  return most === null ? none('no_equity') : exact(most, marks.length);
}

/** All measures by name. */
export const measuresOf = (performance: Performance): Readonly<Record<MeasureName, Measure>> =>
  Object.fromEntries(MEASURES.map(({ name, of }) => [name, of(performance)])) as Record<MeasureName, Measure>;
