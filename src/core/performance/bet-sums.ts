import { ONE, type Price } from '../money.js';
import { type BetRow, type ClosePrice, eventKey, isDecided, isSettled, outlayOf } from './bet.js';
import { binsOf, type Forecast, type ForecastBin, NO_FORECASTS } from './forecasts.js';
import { type EventReturn, NO_RETURNS, type ReturnSums, withReturn } from './intervals.js';

/** Ratios of single bets are added up to 10⁻³⁰. */
export const SUMMED_SCALE = 10n ** 30n;

const count = (isCounted: boolean): bigint => (isCounted ? 1n : 0n);
const settled =
  (of: (bet: BetRow) => bigint) =>
  (bet: BetRow): bigint =>
    isSettled(bet) ? of(bet) : 0n;
const decided =
  (of: (bet: BetRow) => bigint) =>
  (bet: BetRow): bigint =>
    isDecided(bet) ? of(bet) : 0n;

/** Of a settled bet that has a price of the close; others add nothing. */
const closed = (of: (bet: BetRow, close: ClosePrice) => bigint) =>
  settled((bet) => (typeof bet.close === 'string' ? 0n : of(bet, bet.close)));

/** What a settled bet was decided at, and what it met; others add nothing. */
interface Slipped {
  readonly best: Price;
  readonly mid: Price;
  readonly arrived: Price;
}

const slipped = (of: (bet: BetRow, prices: Slipped) => bigint) =>
  settled((bet) => {
    const { best = null, mid = null } = bet.atDecision ?? {};
    const arrived = bet.atArrival?.best ?? null;
    return best === null || mid === null || arrived === null ? 0n : of(bet, { best, mid, arrived });
  });

const betterThanClose = ({ stake, shares }: BetRow, { price }: ClosePrice): bigint => price * shares - stake * ONE;

/** What a bet adds to each sum, exactly, so that the same is subtracted again when it changes. */
const ADDED = {
  all: () => 1n,
  /** Of open bets the cash so far, or with their mark if they have one. */
  profitOfAll: ({ profit }) => profit,
  settled: settled(() => 1n),
  stake: settled(({ stake }) => stake),
  profit: settled(({ profit }) => profit),
  fees: settled(({ fees }) => fees),
  gained: settled(({ profit }) => (profit > 0n ? profit : 0n)),
  lost: settled(({ profit }) => (profit < 0n ? -profit : 0n)),
  soldEarly: settled(({ soldFor, result }) => count(soldFor > 0n || result === 'closed_early')),
  decided: decided(() => 1n),
  won: decided(({ result }) => count(result === 'won')),
  profitDecided: decided(({ profit }) => profit),
  /** Σ k(q − k) for k paid for q shares. */
  variance: decided((bet) => outlayOf(bet) * (bet.shares - outlayOf(bet))),
  costOfShares: decided((bet) => (outlayOf(bet) * SUMMED_SCALE) / bet.shares),
  closed: closed(() => 1n),
  stakeClosed: closed(({ stake }) => stake),
  clvPoints: closed((bet, close) => (bet.stake * betterThanClose(bet, close) * SUMMED_SCALE) / (bet.shares * ONE)),
  clvNet: closed((bet, { fair }) => {
    const outlay = outlayOf(bet) * fair.d;
    return outlay === 0n ? 0n : (bet.stake * (fair.n * bet.shares - outlay) * SUMMED_SCALE) / outlay;
  }),
  /** A price that equals the close counts one half, a better one two. */
  halvesBeaten: closed(
    (bet, close) => count(betterThanClose(bet, close) > 0n) + count(betterThanClose(bet, close) >= 0n),
  ),
  slipped: slipped(() => 1n),
  sharesSlipped: slipped(({ shares }) => shares),
  spread: slipped(({ shares }, { best, mid }) => (best - mid) * shares),
  delay: slipped(({ shares }, { best, arrived }) => (arrived - best) * shares),
  depth: slipped(({ stake, shares }, { arrived }) => stake * ONE - arrived * shares),
} as const satisfies Readonly<Record<string, (bet: BetRow) => bigint>>;

/** What is added up over bets. */
export type BetSumName = keyof typeof ADDED;
const NAMES = Object.keys(ADDED) as readonly BetSumName[];

/** Exact sums over bets, from which most measures follow. Sums of the bets of whole events can be added and subtracted. */
export interface BetSums {
  readonly of: Readonly<Record<BetSumName, bigint>>;
  /** Of settled bets, over events. */
  readonly returns: ReturnSums;
  /** Of decided bets with a stated probability. */
  readonly forecasts: readonly ForecastBin[];
  /** The mids at which these were decided. */
  readonly mids: readonly ForecastBin[];
}

const amounts = (of: (name: BetSumName) => bigint): BetSums['of'] =>
  Object.fromEntries(NAMES.map((name) => [name, of(name)])) as Record<BetSumName, bigint>;

/** The sums of no bets. */
export const NO_SUMS: BetSums = {
  of: amounts(() => 0n),
  returns: NO_RETURNS,
  forecasts: NO_FORECASTS,
  mids: NO_FORECASTS,
};

/** Bets that were won or lost, and had a stated probability. */
export const statedBets = (bets: readonly BetRow[]): readonly (BetRow & { readonly probability: Price })[] =>
  bets.filter((bet): bet is BetRow & { readonly probability: Price } => isDecided(bet) && bet.probability !== null);

/** The forecasts of bets with a stated probability. */
export const statedForecasts = (bets: readonly BetRow[]): readonly Forecast[] =>
  statedBets(bets).map(({ probability, result }) => ({ probability, won: result === 'won' }));

const midForecasts = (bets: readonly BetRow[]): readonly Forecast[] =>
  statedBets(bets).flatMap(({ atDecision, result }): Forecast[] =>
    atDecision === null || atDecision.mid === null ? [] : [{ probability: atDecision.mid, won: result === 'won' }],
  );

/** The returns of settled bets, added up by event, in order of their first bet. */
export function eventReturns(bets: readonly BetRow[]): readonly EventReturn[] {
  const events = new Map<string, EventReturn>();
  for (const bet of bets.filter(isSettled)) {
    const { stake, profit } = events.get(eventKey(bet)) ?? { stake: 0n, profit: 0n };
    events.set(eventKey(bet), { stake: stake + bet.stake, profit: profit + bet.profit });
  }
  return [...events.values()];
}

/** The sums of these bets: all of the events that they are of. */
export const sumsOf = (bets: readonly BetRow[]): BetSums => ({
  of: amounts((name) => bets.reduce((sum, bet) => sum + ADDED[name](bet), 0n)),
  returns: eventReturns(bets).reduce(withReturn, NO_RETURNS),
  forecasts: binsOf(statedForecasts(bets)),
  mids: binsOf(midForecasts(bets)),
});

/** `sums` with those of other events added or, `times` −1, with those of some of its events taken away. */
export function withSums(sums: BetSums, others: BetSums, times: 1 | -1): BetSums {
  const factor = BigInt(times);
  const bins = (these: readonly ForecastBin[], those: readonly ForecastBin[]) =>
    these.map((bin, at) => zipped(bin, those[at] ?? bin, (a, b) => a + factor * b));
  const { events, ...rest } = sums.returns;
  const { events: changed, ...added } = others.returns;
  return {
    of: zipped(sums.of, others.of, (a, b) => a + factor * b),
    returns: { events: events + times * changed, ...zipped(rest, added, (a, b) => a + factor * b) },
    forecasts: bins(sums.forecasts, others.forecasts),
    mids: bins(sums.mids, others.mids),
  };
}

const zipped = <K extends string>(
  a: Readonly<Record<K, bigint>>,
  b: Readonly<Record<K, bigint>>,
  of: (a: bigint, b: bigint) => bigint,
): Record<K, bigint> =>
  Object.fromEntries((Object.keys(a) as K[]).map((name) => [name, of(a[name], b[name])])) as Record<K, bigint>;
