import type { DayOf } from '../../ports/system.js';
import { type BookView, bestPrices, isCrossed } from '../market/book.js';
import { payoutFor } from '../market/lifecycle.js';
import type { Market, OutcomeSide } from '../market/market.js';
import { minus, NO_USDC, type Price, plus, type Shares, type Usdc } from '../money.js';
import { type Limits, limitsLosses } from './limits.js';

/** The day of a moment. */
export const dayIn = ({ dayOf }: { readonly dayOf?: DayOf | undefined }, at: Date): string =>
  dayOf === undefined ? at.toISOString().slice(0, DAY_LENGTH) : dayOf(at);

const DAY_LENGTH = 10;

/** What the purchases of a day spent. */
export interface DaySpent extends OfDay {
  /** Fees included, by whenever it was filled; one that the venue undid later still counts. */
  readonly spent: Usdc;
  /** What working purchases of the day may still spend; absent for nothing. */
  readonly reserved?: Usdc | undefined;
  /** The journal entry that books the first purchase of the day; absent on the day when counting began, where it is not known. */
  readonly first?: string | undefined;
}

/** What is counted of the trading with one sum of cash, for an account that has limits. */
export interface Counted {
  /** One element per day with purchases: the last three such days, and each day of a purchase that still works. */
  readonly days: ByDay<DaySpent>;
  /** What trading brought since counting began, less its fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** How many orders were accepted in each of the last seconds, by the milliseconds at which the second began; kept while their rate is limited. */
  readonly recent: readonly (readonly [second: number, orders: number])[];
  /** True where it was counted from the first purchase on. */
  readonly isWhole?: true;
}

/** The counts of an account that has bought nothing. */
export const NOTHING_COUNTED: Counted = { days: [], booked: NO_USDC, recent: [], isWhole: true };

/** What the purchases of this day spent, and what working ones of it may still spend. */
export function stakeOn({ days }: Counted, day: string): Usdc {
  const { spent = NO_USDC, reserved = NO_USDC } = onDay(days, day) ?? {};
  return plus(spent, reserved);
}

/** After trading brought so much, or, negative, cost it. */
export const afterBooking = (counted: Counted, amount: Usdc): Counted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** The counts after a purchase of this day spent so much, as this entry books it. */
export function afterSpending(counted: Counted, day: string, amount: Usdc, entry: string): Counted {
  const before = onDay(counted.days, day);
  const isFirst = before === undefined || (before.first === undefined && before.spent === 0n);
  const first = isFirst ? entry : earlier(before.first, entry);
  const { reserved } = before ?? {};
  const spent = plus(before?.spent ?? NO_USDC, amount);
  return placedDay(counted, dayOf(day, spent, reserved, first), before !== undefined ? 'stays' : 'first');
}

/** After working purchases of this day may spend so much more, or, negative, less. */
export function afterReserving(counted: Counted, day: string, amount: Usdc): Counted {
  const before = onDay(counted.days, day);
  if (before === undefined && amount <= 0n) return counted;
  const { spent = NO_USDC, reserved = NO_USDC, first } = before ?? {};
  const next = plus(reserved, amount);
  // A purchase placed before limits were set counts for another day if the server's time zone has changed since.
  return placedDay(counted, dayOf(day, spent, next > 0n ? next : undefined, first), amount > 0n ? 'last' : 'stays');
}

/** The counts with what a working purchase of this day may still spend: when counting begins. */
export function withReserved(counted: Counted, day: string, amount: Usdc): Counted {
  if (amount === 0n) return counted;
  const { spent = NO_USDC, reserved = NO_USDC } = onDay(counted.days, day) ?? {};
  const next = dayOf(day, spent, plus(reserved, amount), undefined);
  return placedDay(counted, next, onDay(counted.days, day) === undefined ? 'first' : 'stays');
}

const dayOf = (day: string, spent: Usdc, reserved: Usdc | undefined, first: string | undefined): DaySpent => ({
  day,
  spent,
  ...(reserved !== undefined && { reserved }),
  ...(first !== undefined && { first }),
});

/**
 * Only a new purchase makes its day the last one: what is filled later must not take the place of newer days. One that is filled
 * when nothing is reserved for it any more may be of a day that was given up: it comes before all others.
 */
function placedDay(counted: Counted, next: DaySpent, place: 'first' | 'stays' | 'last'): Counted {
  const { days } = counted;
  const others = days.filter(({ day }) => day !== next.day);
  const all =
    place === 'last'
      ? [...others, next]
      : place === 'first'
        ? [next, ...others]
        : days.map((one) => (one.day === next.day ? next : one));
  const kept = all.filter(({ reserved }, i) => reserved !== undefined || i >= all.length - KEPT_DAYS);
  return { ...counted, days: kept };
}

/** Entries of several servers may be out of order. */
const earlier = (first: string | undefined, entry: string) => (first !== undefined && entry < first ? entry : first);

const WINDOW_MS = 60_000;
/** So many seconds before those sixty are kept, a minute: a clock that is ahead for one order may be set back to it. */
const OLDER_KEPT = 61;
const secondOf = (at: Date): number => at.getTime() - (at.getTime() % 1000);

/**
 * How many orders were accepted in the sixty seconds before this moment, and in the rest of the second before those. What lies
 * more than a minute ahead was counted by a clock that is wrong, and counts for none but that one.
 */
export const ordersWithinMinute = ({ recent }: Counted, at: Date): number =>
  stillWithin(recent, at)
    .filter(([second]) => second <= secondOf(at) + WINDOW_MS)
    .reduce((sum, [, orders]) => sum + orders, 0);

/** The counts after one more order was accepted. */
export function afterOrder(counted: Counted, at: Date): Counted {
  const now = secondOf(at);
  const own = counted.recent.find(([second]) => second === now)?.[1] ?? 0;
  const others = counted.recent.filter(([second]) => second !== now);
  const older = others.filter(([second]) => second < now - WINDOW_MS);
  const gone = new Set(older.slice(0, -OLDER_KEPT));
  return { ...counted, recent: [...others.filter((one) => !gone.has(one)), [now, own + 1]] };
}

const stillWithin = (recent: Counted['recent'], at: Date) =>
  recent.filter(([second]) => second >= secondOf(at) - WINDOW_MS);

/** Something of one day, in the zone of the server, such as 2026-11-22. */
export interface OfDay {
  readonly day: string;
}

/** The values of the last three days written, the last write at the end: clocks may differ, or be set back. */
export type ByDay<T extends OfDay> = readonly T[];

/** How many days are kept. */
export const KEPT_DAYS = 3;

/** The value of one day; undefined where none is kept. */
export const onDay = <T extends OfDay>(days: ByDay<T>, day: string): T | undefined =>
  days.find((one) => one.day === day);

/** The list with `next` in place of the value of its day; no other day is changed by it. */
export const withDay = <T extends OfDay>(days: ByDay<T>, next: T): ByDay<T> =>
  [...days.filter(({ day }) => day !== next.day), next].slice(-KEPT_DAYS);

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

/** The loss marks of an account for each kind of money with a loss limit, kept from the first measurement on. */
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

/** The marks of one kind of money, as an event of the account's log records them: the day that was written last. */
export interface LossRecord extends DayStart {
  readonly paper: boolean;
  readonly peak: Usdc | null;
}

/** Before anything was measured, and once nothing is. */
export const UNMEASURED: LossMarks = { days: [], peak: null };

/** The marks after a gain was measured: the very same where it changed none. A day that is known keeps its start, whatever the clock said since. */
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

/** The part of an account that defines what its losses are measured from. */
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

/** The record of marks for an event; its day has no name before there is one. */
export function recordOf({ days, peak }: LossMarks, paper: boolean): LossRecord {
  const { day, start } = days.at(-1) ?? { day: '', start: NO_USDC };
  return { paper, day, start, peak };
}

/** True of marks that may have come from recorded ones without another record. */
export function isWithin(marks: LossRecord, recorded: LossRecord, cap: Usdc | null): boolean {
  const { day, start, peak } = recorded;
  return marks.day === day && marks.start === start && stepOf(marks.peak, cap) === stepOf(peak, cap);
}

/** The kept loss marks of one kind of money, or `UNMEASURED`. */
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

/** Shares to be valued, with their cost. */
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
  const { bid, ask } = bestPrices(outcome, book);
  if (bid !== undefined) return payoutFor(shares, bid as bigint as Usdc);
  return ask !== undefined && ask <= WORTHLESS ? NO_USDC : null;
}
