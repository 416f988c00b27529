import { NO_USDC, type Ratio, type Usdc } from '../money.js';

/** What an account was worth at one moment, at what the bids would pay. */
export interface EquityReading {
  readonly at: Date;
  readonly equity: Usdc;
  /** What open positions cost, and what working purchases may still spend. */
  readonly atRisk: Usdc;
  /** What was deposited since the mark before, withdrawals taken off; a reset of paper money is one. */
  readonly deposited: Usdc;
}

/** A fall from a peak of equity, and the way back to it. */
export interface Drawdown {
  /** 1 − equity / peak at the trough. */
  readonly depth: Ratio;
  readonly lost: Usdc;
  readonly peakAt: Date;
  readonly troughAt: Date;
  /** Null where the peak was not reached again. */
  readonly recoveredAt: Date | null;
  /** From the peak to the recovery, or to the last mark. */
  readonly seconds: number;
}

/** Every fall from a peak, in order of time. A deposit raises the peak with the equity: it is neither a gain nor a recovery. */
export function drawdowns(marks: readonly EquityReading[]): readonly Drawdown[] {
  const episodes: Drawdown[] = [];
  let peak = { equity: NO_USDC as bigint, at: new Date(0) };
  let trough: { equity: bigint; peak: bigint; at: Date } | null = null;
  const close = (at: Date, recoveredAt: Date | null) => {
    if (trough === null || trough.peak <= 0n) return;
    const lost = (trough.peak - trough.equity) as Usdc;
    const seconds = Math.floor((at.getTime() - peak.at.getTime()) / 1000);
    episodes.push({
      depth: { n: lost, d: trough.peak },
      lost,
      peakAt: peak.at,
      troughAt: trough.at,
      recoveredAt,
      seconds,
    });
  };
  for (const [index, { at, equity, deposited }] of marks.entries()) {
    const before = index === 0 ? equity : peak.equity + deposited;
    peak = { ...peak, equity: before };
    if (equity >= before) {
      close(at, at);
      trough = null;
      peak = { equity, at };
    } else if (trough === null || (before - equity) * trough.peak > (trough.peak - trough.equity) * before) {
      trough = { equity, peak: before, at };
    }
  }
  const last = marks.at(-1);
  if (last !== undefined) close(last.at, null);
  return episodes;
}

/** What the last mark before a moment has; null where there is none. */
export function equityBefore(marks: readonly EquityReading[], moment: Date): Usdc | null {
  let [from, to] = [0, marks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((marks[middle]?.at ?? moment) < moment) from = middle + 1;
    else to = middle;
  }
  return marks[from - 1]?.equity ?? null;
}

/** The deepest fall by ratio, the first of equal ones; null where equity never fell below a peak. */
export function maxDrawdown(marks: readonly EquityReading[]): Drawdown | null {
  let deepest: Drawdown | null = null;
  for (const episode of drawdowns(marks)) {
    if (deepest === null || episode.depth.n * deepest.depth.d > deepest.depth.n * episode.depth.d) deepest = episode;
  }
  return deepest;
}

/** The largest part of its equity that was at risk at a mark; null without marks of an account that is worth something. */
export function maxExposure(marks: readonly EquityReading[]): Ratio | null {
  let most: Ratio | null = null;
  for (const { equity, atRisk } of marks) {
    if (equity > 0n && (most === null || atRisk * most.d > most.n * equity)) most = { n: atRisk, d: equity };
  }
  return most;
}

const DAY_MS = 86_400_000;
const dayOf = ({ at }: Pick<EquityReading, 'at'>): number => Math.floor(at.getTime() / DAY_MS);

/**
 * The return of every UTC day from the first mark to the last, without deposits: equity at the end of the day less what was
 * deposited on it, over equity at the end of the day before. A day without a mark returned 0. Ends where nothing is left.
 */
export function dailyReturns(marks: readonly EquityReading[]): readonly number[] {
  const [first] = marks;
  if (first === undefined) return [];
  const returns: number[] = [];
  let before: bigint = first.equity;
  let index = 1;
  for (let day = dayOf(first); day <= dayOf(marks.at(-1) ?? first) && before > 0n; day += 1) {
    let equity: bigint = before;
    let deposited = 0n;
    for (let mark = marks[index]; mark !== undefined && dayOf(mark) <= day; index += 1, mark = marks[index]) {
      equity = mark.equity;
      deposited += mark.deposited;
    }
    returns.push(Number(equity - deposited - before) / Number(before));
    before = equity;
  }
  return returns;
}

const DAYS_A_YEAR = 365;
/** Below so many days the ratios say nothing. */
export const FEWEST_DAYS = 30;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean of the daily returns over their sample deviation (n − 1), × √365, without a risk-free rate; null without deviation. */
export function sharpeRatio(returns: readonly number[]): number | null {
  const centre = mean(returns);
  const variance = returns.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (returns.length - 1);
  return variance > 0 ? (centre / Math.sqrt(variance)) * Math.sqrt(DAYS_A_YEAR) : null;
}

/** Mean of the daily returns over √(Σ min(r, 0)² / n), × √365; null without a losing day. */
export function sortinoRatio(returns: readonly number[]): number | null {
  const losses = returns.reduce((sum, value) => sum + Math.min(value, 0) ** 2, 0) / returns.length;
  return losses > 0 ? (mean(returns) / Math.sqrt(losses)) * Math.sqrt(DAYS_A_YEAR) : null;
}
