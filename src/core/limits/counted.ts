import { NO_USDC, plus, type Usdc } from '../money.js';
import { type ByDay, type OfDay, onDay, withDay } from './by-day.js';

/** What the purchases of a day spent. */
export interface DaySpent extends OfDay {
  /** Fees included, by whenever it was filled; one that the venue undid later still counts. */
  readonly spent: Usdc;
  /** The entry that books the first of them; absent where that is not known: on the day on which counting began. */
  readonly first?: string | undefined;
}

/** What is counted of the trading with one sum of cash, for an account that has limits. */
export interface Counted {
  /** By the day on which purchases were placed. */
  readonly days: ByDay<DaySpent>;
  /** What trading brought since counting began, less its fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** How many orders were accepted in each of the last seconds, by the milliseconds at which the second began; kept while their rate is limited. */
  readonly recent: readonly (readonly [second: number, orders: number])[];
}

/** Nothing was counted yet. */
export const NOTHING_COUNTED: Counted = { days: [], booked: NO_USDC, recent: [] };

/** What the purchases of this day spent. */
export const spentOn = ({ days }: Counted, day: string): Usdc => onDay(days, day)?.spent ?? NO_USDC;

/** After trading brought so much, or, negative, cost it. */
export const afterBooking = (counted: Counted, amount: Usdc): Counted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** After a purchase of this day spent so much, as this entry books it. */
export function afterSpending(counted: Counted, day: string, amount: Usdc, entry: string): Counted {
  const before = onDay(counted.days, day);
  const first = before === undefined ? entry : earlier(before.first, entry);
  const spent = plus(before?.spent ?? NO_USDC, amount);
  return { ...counted, days: withDay(counted.days, { day, spent, ...(first !== undefined && { first }) }) };
}

/** Entries of several servers may be out of turn. */
const earlier = (first: string | undefined, entry: string) => (first !== undefined && entry < first ? entry : first);

const WINDOW_MS = 60_000;
const secondOf = (at: Date): number => at.getTime() - (at.getTime() % 1000);

/**
 * How many orders were accepted in the sixty seconds before this moment, and in the rest of the second before those. What lies
 * more than a minute ahead was counted by a clock that is wrong, and counts for none but that one.
 */
export const ordersWithinMinute = ({ recent }: Counted, at: Date): number =>
  stillWithin(recent, at)
    .filter(([second]) => second <= secondOf(at) + WINDOW_MS)
    .reduce((sum, [, orders]) => sum + orders, 0);

/** After one more order was accepted. */
export function afterOrder(counted: Counted, at: Date): Counted {
  const now = secondOf(at);
  const kept = stillWithin(counted.recent, at);
  const own = kept.find(([second]) => second === now)?.[1] ?? 0;
  return { ...counted, recent: [...kept.filter(([second]) => second !== now), [now, own + 1]] };
}

const stillWithin = (recent: Counted['recent'], at: Date) =>
  recent.filter(([second]) => second >= secondOf(at) - WINDOW_MS);
