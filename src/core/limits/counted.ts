import { NO_USDC, plus, type Usdc } from '../money.js';

/** What is counted of the trading with one sum of cash, for an account that has limits. */
export interface Counted {
  /** The day of the last purchase that was filled, in the zone of the server, such as 2026-11-22. */
  readonly day: string;
  /** What purchases spent on that day, fees included; one that the venue undid later still counts. */
  readonly spent: Usdc;
  /** The entry that books the first of them; absent where that is not known: on the day on which counting began. */
  readonly first?: string | undefined;
  /** What trading brought since counting began, less its fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** How many orders were accepted in each of the last seconds, by the milliseconds at which the second began; kept while their rate is limited. */
  readonly recent: readonly (readonly [second: number, orders: number])[];
}

/** Nothing was counted yet. */
export const NOTHING_COUNTED: Counted = { day: '', spent: NO_USDC, booked: NO_USDC, recent: [] };

/** What was spent on this day. */
export const spentOn = ({ day, spent }: Counted, today: string): Usdc => (day === today ? spent : NO_USDC);

/** After trading brought so much, or, negative, cost it. */
export const afterBooking = (counted: Counted, amount: Usdc): Counted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** After a purchase spent so much on this day, as this entry books it. */
export const afterSpending = (counted: Counted, today: string, amount: Usdc, entry: string): Counted => ({
  ...counted,
  day: today,
  spent: plus(spentOn(counted, today), amount),
  first: counted.day === today ? earlier(counted.first, entry) : entry,
});

/** Entries of several servers may be out of turn. */
const earlier = (first: string | undefined, entry: string) => (first !== undefined && entry < first ? entry : first);

const WINDOW_MS = 60_000;
const secondOf = (at: Date): number => at.getTime() - (at.getTime() % 1000);

/** How many orders were accepted in the sixty seconds before this moment, and in the rest of the second before those. */
export const ordersWithinMinute = ({ recent }: Counted, at: Date): number =>
  stillWithin(recent, at).reduce((sum, [, orders]) => sum + orders, 0);

/** After one more order was accepted. */
export function afterOrder(counted: Counted, at: Date): Counted {
  const now = secondOf(at);
  const kept = stillWithin(counted.recent, at);
  const own = kept.find(([second]) => second === now)?.[1] ?? 0;
  return { ...counted, recent: [...kept.filter(([second]) => second !== now), [now, own + 1]] };
}

const stillWithin = (recent: Counted['recent'], at: Date) =>
  recent.filter(([second]) => second >= secondOf(at) - WINDOW_MS);
