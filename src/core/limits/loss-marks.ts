import { minus, NO_USDC, type Usdc } from '../money.js';
import type { Limits } from './limits.js';

/**
 * What losses are measured from. Each is a gain: what trading brought, sold or not, since it was first counted; money that is
 * paid in or out is no part of it.
 */
export interface LossMarks {
  /** The day that `start` is of, such as 2026-11-22; empty before there is one. */
  readonly day: string;
  /** The gain when the day was first measured. */
  readonly start: Usdc;
  /** The highest gain; null where no drawdown is limited. */
  readonly peak: Usdc | null;
}

/** Those of an account with a limit on them, of each kind of money; kept from the first measurement on. */
export interface KeptLosses {
  readonly paper?: LossMarks;
  readonly live?: LossMarks;
}

/** What an account, or the part of a strategy, was worth at one moment, as far as trading changed it. */
export interface EquityMark {
  /** What open positions could be sold for, less what they cost. */
  readonly unrealised: Usdc;
  /** What trading had brought by then, less its fees. */
  readonly booked: Usdc;
  readonly at: Date;
}

/**
 * The gain by a mark and what is booked now. A loss that was booked since counts at once; a gain does not: part of it may be
 * in the mark already.
 */
export const gainBy = ({ unrealised, booked }: EquityMark, bookedNow: Usdc): Usdc =>
  (unrealised + (bookedNow < booked ? bookedNow : booked)) as Usdc;

/** The same of one kind of money, as an event of the log of the account tells it. */
export interface LossRecord extends LossMarks {
  readonly paper: boolean;
}

/** Before anything was measured, and once nothing is. */
export const UNMEASURED: LossMarks = { day: '', start: NO_USDC, peak: null };

/** After a gain was measured: the very same marks where it changed none. A day that has passed is not gone back to. */
export function measured(
  marks: LossMarks = UNMEASURED,
  gain: Usdc,
  today: string,
  { drawdownUsdc }: Pick<Limits, 'drawdownUsdc'>,
): LossMarks {
  const { day, start, peak } = marks;
  const highest = peak === null || gain > peak ? gain : peak;
  const next = today > day ? { day: today, start: gain } : { day, start };
  const kept = drawdownUsdc === null ? null : highest;
  return next.day === day && kept === peak ? marks : { ...next, peak: kept };
}

/** How much was lost of what is limited: since the start of the day, and since the peak. */
export const lostSince = ({ start, peak }: LossMarks, gain: Usdc) => ({
  dailyLossUsdc: positive(minus(start, gain)),
  drawdownUsdc: positive(minus(peak ?? gain, gain)),
});

/** The limits of losses, with the codes of their refusals and how their sentences begin. */
export const LOSS_LIMITS = [
  {
    name: 'dailyLossUsdc',
    code: 'daily_loss_exceeded',
    message: 'The account has lost today what it may lose in a day',
  },
  {
    name: 'drawdownUsdc',
    code: 'drawdown_exceeded',
    message: 'The equity of the account is as far below its peak as it may be',
  },
] as const;

/** True where equity has to be marked: a loss is limited. */
export const limitsLosses = ({ dailyLossUsdc, drawdownUsdc }: Limits): boolean =>
  dailyLossUsdc !== null || drawdownUsdc !== null;

/** What is kept once limits have changed: nothing where no loss is limited, and nothing of before for a new limit. */
export function keptAfter(kept: KeptLosses | undefined, before: Limits, after: Limits): KeptLosses | undefined {
  if (!limitsLosses(after)) return undefined;
  const again = (marks: LossMarks): LossMarks => ({
    ...marks,
    ...(before.dailyLossUsdc === null && { day: '' }),
    ...(before.drawdownUsdc === null && { peak: null }),
  });
  const { paper, live } = kept ?? {};
  return { ...(paper && { paper: again(paper) }), ...(live && { live: again(live) }) };
}

const positive = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);
