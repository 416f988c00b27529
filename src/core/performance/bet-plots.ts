import type { VenueName } from '../ids.js';
import { NO_USDC, ONE, plus, type Usdc } from '../money.js';
import { type BetRow, bySettlement, type ClosePrice, isSettled, type NoClose, outlayOf } from './bet.js';
import { statedForecasts, sumsOf } from './bet-sums.js';
import { type CalibrationBin, calibration } from './forecasts.js';
import { type MeasuresByName, measuresOfSums } from './measures.js';
import type { CountedBet } from './results.js';

/** Micro-dollars as dollars, for a plot. */
export const inDollars = (micro: bigint): number => Number(micro) / Number(ONE);

type ClosedBet = BetRow & { readonly close: ClosePrice };

/** Settled bets with a price of the close, in the order in which they settled. */
export const betsWithClose = (bets: readonly BetRow[]): readonly ClosedBet[] =>
  bets.filter((bet): bet is ClosedBet => isSettled(bet) && typeof bet.close !== 'string').sort(bySettlement);

/** The fair price of the close, as a number from 0 to 1. */
const fairOf = ({ close: { fair } }: ClosedBet): number => Number(fair.n) / Number(fair.d);

/** What a bet may expect to earn by the fair price of the close, in dollars: its shares at that price, less all that was paid for them. */
export const expectedProfit = (bet: ClosedBet): number =>
  fairOf(bet) * inDollars(bet.shares) - inDollars(outlayOf(bet));

/**
 * How far results alone move the profit of these bets if the close was right, in dollars: one standard deviation. Bets on one outcome win
 * together.
 */
export function luckOf(bets: readonly BetRow[]): number {
  const shares = new Map<string, { held: number; fair: number }>();
  for (const bet of betsWithClose(bets)) {
    const name = `${bet.venue} ${bet.marketId} ${bet.outcome}`;
    const known = shares.get(name) ?? { held: 0, fair: fairOf(bet) };
    shares.set(name, { held: known.held + inDollars(bet.shares), fair: known.fair });
  }
  return Math.sqrt([...shares.values()].reduce((sum, { held, fair }) => sum + held * held * fair * (1 - fair), 0));
}

const WIDEST = 10;

/** Values of a class of one point: it ends here, on the side that is farther from 0. The class of 0 holds nothing else. */
export interface PointClass {
  readonly end: number;
  readonly count: number;
}

/** How many values lie in each class of one point, from −10 to 10, and how many are 0; what lies beyond is in the first or the last. */
export function pointClasses(values: readonly number[]): readonly PointClass[] {
  const classes = Array.from({ length: 2 * WIDEST + 1 }, (_, at) => ({ end: at - WIDEST, count: 0 }));
  for (const value of values) {
    const end = Math.sign(value) * Math.min(WIDEST, Math.ceil(Math.abs(value)));
    const found = classes[end + WIDEST];
    if (found !== undefined) found.count += 1;
  }
  return classes;
}

/** How prices paid compare with the close. */
export interface ClosingSpread {
  /** With a price of the close. */
  readonly bets: number;
  readonly better: number;
  readonly same: number;
  /** The price of the close less the average price paid, of the bet in the middle, in points: cents a share. */
  readonly median: number;
  readonly classes: readonly PointClass[];
}

/** Of settled bets; null where none has a price of the close. */
export function closingSpread(bets: readonly BetRow[]): ClosingSpread | null {
  const points = betsWithClose(bets)
    .map(({ close, stake, shares }) => (Number(close.price * shares - stake * ONE) / Number(shares * ONE)) * 100)
    .sort((a, b) => a - b);
  const [low, high] = [points[Math.floor((points.length - 1) / 2)], points[Math.floor(points.length / 2)]];
  if (low === undefined || high === undefined) return null;
  return {
    bets: points.length,
    better: points.filter((value) => value > 0).length,
    same: points.filter((value) => value === 0).length,
    median: (low + high) / 2,
    classes: pointClasses(points),
  };
}

/** Why settled bets have no price of the close, most frequent first. */
export function closesMissing(bets: readonly BetRow[]): readonly { readonly reason: NoClose; readonly bets: number }[] {
  const counts = new Map<NoClose, number>();
  for (const bet of bets)
    if (isSettled(bet) && typeof bet.close === 'string') counts.set(bet.close, (counts.get(bet.close) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([reason, count]) => ({ reason, bets: count }));
}

/** What the bets of one day earned that have a price of the close, and what they could expect to earn by it. */
export interface ExpectedDay {
  readonly day: string;
  readonly bets: number;
  readonly profit: Usdc;
  /** In dollars. */
  readonly expected: number;
}

/** The parts of the slippage, as measures. */
export type SlippageParts = Pick<MeasuresByName, 'slippage_spread' | 'slippage_delay' | 'slippage_depth'>;

/** What the plots of settled bets are drawn from: of one kind of money, and one venue. */
export interface BetPlots {
  readonly paper: boolean;
  readonly venue: VenueName;
  /** Settled ones. */
  readonly bets: number;
  /** By the days on which they settled, oldest first. */
  readonly days: readonly ExpectedDay[];
  /** See `luckOf`. */
  readonly luck: number;
  readonly closing: ClosingSpread | null;
  readonly noClose: ReturnType<typeof closesMissing>;
  /** Of probabilities that were stated for them; empty bins too. */
  readonly calibration: readonly CalibrationBin[];
  readonly slippage: SlippageParts;
}

/** What the plots of settled bets are drawn from, each counted under the day on which it settled: kinds of money and venues apart. */
export function betPlotsOf(counted: readonly CountedBet[]): readonly BetPlots[] {
  const parts = new Map<string, CountedBet[]>();
  for (const one of counted.filter(({ bet }) => isSettled(bet))) {
    const name = `${one.bet.venue} ${one.bet.paper}`;
    const part = parts.get(name);
    if (part === undefined) parts.set(name, [one]);
    else part.push(one);
  }
  return [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, part]) => plotsOf(part));
}

function plotsOf(counted: readonly CountedBet[]): readonly BetPlots[] {
  const bets = counted.map(({ bet }) => bet);
  const [first] = bets;
  if (first === undefined) return [];
  const { slippage_spread, slippage_delay, slippage_depth } = measuresOfSums(sumsOf(bets), {
    openProfit: NO_USDC,
    capital: null,
  });
  return [
    {
      paper: first.paper,
      venue: first.venue,
      bets: bets.length,
      days: expectedDays(counted),
      luck: luckOf(bets),
      closing: closingSpread(bets),
      noClose: closesMissing(bets),
      calibration: calibration(statedForecasts(bets)),
      slippage: { slippage_spread, slippage_delay, slippage_depth },
    },
  ];
}

function expectedDays(counted: readonly CountedBet[]): readonly ExpectedDay[] {
  const dayOf = new Map(counted.map(({ bet, key }) => [bet.id, key ?? '']));
  const days = new Map<string, ExpectedDay>();
  for (const bet of betsWithClose(counted.map((one) => one.bet))) {
    const day = dayOf.get(bet.id) ?? '';
    const { bets, profit, expected } = days.get(day) ?? { bets: 0, profit: NO_USDC, expected: 0 };
    days.set(day, {
      day,
      bets: bets + 1,
      profit: plus(profit, bet.profit),
      expected: expected + expectedProfit(bet),
    });
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}
