import { type BookView, isCrossed, seenFrom } from '../market/book.js';
import { payoutFor } from '../market/lifecycle.js';
import type { Market, OutcomeSide } from '../market/market.js';
import { minus, NO_USDC, type Price, type Shares, type Usdc } from '../money.js';
import { type ByDay, type OfDay, onDay, withDay } from './counted.js';
import { type Limits, limitsLosses } from './limits.js';

/** The gain when a day was first measured. */
export interface DayStart extends OfDay {
  readonly start: Usdc;
}

/**
 * What losses are measured from. Each is a gain: what trading brought, sold or not, since it was first counted; money that is
 * paid in or out is no part of it.
 */
export interface LossMarks {
  /** The starts of days; none before there is one. */
  readonly days: ByDay<DayStart>;
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

/** The same of one kind of money, as an event of the log of the account tells it: the day that was written last. */
export interface LossRecord extends DayStart {
  readonly paper: boolean;
  readonly peak: Usdc | null;
}

/** Before anything was measured, and once nothing is. */
export const UNMEASURED: LossMarks = { days: [], peak: null };

/** After a gain was measured: the very same marks where it changed none. A day that is known keeps its start, whatever the clock said since. */
export function measured(
  marks: LossMarks = UNMEASURED,
  gain: Usdc,
  today: string,
  { drawdownUsdc }: Pick<Limits, 'drawdownUsdc'>,
): LossMarks {
  const { days, peak } = marks;
  const highest = peak === null || gain > peak ? gain : peak;
  const isKnown = onDay(days, today) !== undefined;
  const kept = drawdownUsdc === null ? null : highest;
  if (isKnown && kept === peak) return marks;
  return { days: isKnown ? days : withDay(days, { day: today, start: gain }), peak: kept };
}

/** How much was lost of what is limited: since the start of the day, and since the peak. */
export const lostSince = ({ days, peak }: LossMarks, today: string, gain: Usdc) => ({
  dailyLossUsdc: positive(minus(onDay(days, today)?.start ?? gain, gain)),
  drawdownUsdc: positive(minus(peak ?? gain, gain)),
});

/** The limits of losses. */
export const LOSS_LIMITS = ['dailyLossUsdc', 'drawdownUsdc'] as const;

/** What is kept once limits have changed: nothing where no loss is limited, and nothing of before for a new limit. */
export function keptAfter(kept: KeptLosses | undefined, before: Limits, after: Limits): KeptLosses | undefined {
  if (!limitsLosses(after)) return undefined;
  const again = (marks: LossMarks): LossMarks => ({
    ...marks,
    ...(before.dailyLossUsdc === null && { days: [] }),
    ...(before.drawdownUsdc === null && { peak: null }),
  });
  const { paper, live } = kept ?? {};
  return { ...(paper && { paper: again(paper) }), ...(live && { live: again(live) }) };
}

const positive = (amount: Usdc): Usdc => (amount > 0n ? amount : NO_USDC);

/** The part of an account that tells what its losses are measured from. */
export interface MeasuredFrom {
  readonly limits?: Limits | undefined;
  readonly losses?: KeptLosses | undefined;
}

/**
 * What a change of an account adds to its log: each new day, each change of what its limits need, and a new peak once it
 * reaches another tenth of the drawdown that is allowed. So a market that rises adds no event a second.
 */
export function lossRecords(before: MeasuredFrom, after: MeasuredFrom): readonly LossRecord[] {
  if (before.losses === after.losses && before.limits === after.limits) return [];
  return [...newMarks(before, after, 'paper'), ...newMarks(before, after, 'live')];
}

function newMarks(before: MeasuredFrom, after: MeasuredFrom, kind: keyof KeptLosses): readonly LossRecord[] {
  const [was, is] = [before.losses?.[kind], after.losses?.[kind]];
  if (was === undefined && is === undefined) return [];
  const cap = drawdownOf(after);
  const record = recordOf(is ?? UNMEASURED, kind === 'paper');
  const isKnown = is !== undefined && was !== undefined && drawdownOf(before) === cap;
  return isKnown && isWithin(record, recordOf(was, record.paper), cap) ? [] : [record];
}

/** What an event tells of marks; a day without a name before there is one. */
export function recordOf({ days, peak }: LossMarks, paper: boolean): LossRecord {
  const { day, start } = days.at(-1) ?? { day: '', start: NO_USDC };
  return { paper, day, start, peak };
}

/** True of marks that may have come from recorded ones without another record. */
export function isWithin(marks: LossRecord, recorded: LossRecord, cap: Usdc | null): boolean {
  const { day, start, peak } = recorded;
  return marks.day === day && marks.start === start && stepOf(marks.peak, cap) === stepOf(peak, cap);
}

/** What an account that has no marks is held against. */
export const marksOf = (losses: KeptLosses | undefined, paper: boolean): LossMarks =>
  losses?.[paper ? 'paper' : 'live'] ?? UNMEASURED;

/** The limit that `isWithin` needs. */
export const drawdownOf = ({ limits }: MeasuredFrom): Usdc | null => limits?.drawdownUsdc ?? null;

const STEPS = 10n;

/** The tenth of the allowed drawdown that a peak lies in, counted from a gain of nothing; the peak itself without one. */
function stepOf(peak: Usdc | null, cap: Usdc | null): bigint | null {
  if (peak === null || cap === null || cap === 0n) return peak;
  const tenths = STEPS * peak;
  const rest = tenths % cap;
  return tenths / cap - (rest < 0n ? 1n : 0n);
}

/** Shares as far as their worth goes. */
interface Held {
  readonly outcome: OutcomeSide;
  readonly shares: Shares;
  readonly cost: Usdc;
}

/** Shares that nobody bids for, and that are offered for at most a cent, are worth nothing. */
const WORTHLESS = 10_000n as Price;

/**
 * What shares could be sold for at once, by a result or the best bid; what they cost in a market that has no book at all. Null
 * where a book does not say it: it may be out of date, is crossed, or has no bid.
 */
export function worthAtMarket(
  { outcome, shares, cost }: Held,
  market: Market,
  book: BookView | undefined,
): Usdc | null {
  const payout = market.payout?.[outcome === 'YES' ? 0 : 1];
  if (payout !== undefined) return payoutFor(shares, payout);
  if (book === undefined) return cost;
  if (!book.fresh || isCrossed(book)) return null;
  const { bids, asks } = seenFrom(outcome, book);
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid !== undefined) return payoutFor(shares, bid as bigint as Usdc);
  return ask !== undefined && ask <= WORTHLESS ? NO_USDC : null;
}
