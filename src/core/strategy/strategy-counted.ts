import { type ByDay, type OfDay, onDay, withDay } from '../limits/by-day.js';
import { minus, NO_USDC, plus, type Usdc } from '../money.js';

/** The purchases of a strategy on one day. */
export interface DayBets extends OfDay {
  /** How many were accepted. */
  readonly bets: number;
  /** What trading brought, sold or not, when the first of them was measured; null where none was. */
  readonly start: Usdc | null;
  /** True where each of them has a number on its order; absent where some are from before that was kept. */
  readonly isNumbered?: true;
}

/** What is counted of the trading of a strategy, with one kind of money. */
export interface StrategyCounted {
  /** By the day on which purchases were placed. */
  readonly days: ByDay<DayBets>;
  /** What trading brought since counting began, less its fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** True where it was counted from the first trade on: then all its positions together brought as much. */
  readonly isWhole?: true;
  /** How many purchases were numbered since it was counted from nothing; absent before the first. */
  readonly numbered?: number;
}

/** Nothing was counted yet, of a strategy that may have traded before. */
export const NOTHING_BET: StrategyCounted = { days: [], booked: NO_USDC };

/** Of one that has not traded. */
export const NEVER_BET: StrategyCounted = { ...NOTHING_BET, isWhole: true };

/** How many purchases were accepted today. */
export const betsOn = ({ days }: StrategyCounted, today: string): number => onDay(days, today)?.bets ?? 0;

/** What was lost today, by what trading brought until now. */
export function lostOn({ days }: StrategyCounted, today: string, gain: Usdc): Usdc {
  const start = onDay(days, today)?.start ?? null;
  const lost = start === null ? NO_USDC : minus(start, gain);
  return lost > 0n ? lost : NO_USDC;
}

/** After a purchase was accepted; `gain` is what trading brought until then, null where it was not measured. */
export function afterBet(
  counted: StrategyCounted,
  day: string,
  gain: Usdc | null,
): StrategyCounted & { readonly numbered: number } {
  const known = onDay(counted.days, day);
  const { bets, start, isNumbered } = known ?? { bets: 0, start: null, isNumbered: true };
  const next = { day, bets: bets + 1, start: start ?? gain, ...(isNumbered === true && { isNumbered }) };
  return { ...counted, days: withDay(counted.days, next), numbered: (counted.numbered ?? 0) + 1 };
}

/** After trading brought so much, or, negative, cost it. */
export const afterResult = (counted: StrategyCounted, amount: Usdc): StrategyCounted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** A strategy that was filled so often in one outcome, within so many minutes, stops until a person lets it go on. */
export const MOST_ENTRIES = 5;
/** With the default cooldown a strategy comes to three. */
export const ENTRIES_WITHIN_MINUTES = 10;

/** The moments, in milliseconds since 1970, at which purchases of one outcome began to fill: those of the last ten minutes. */
export type Entries = readonly number[];

/** Those that still count. What lies more than a minute ahead was counted by a clock that is wrong. */
export const entriesWithin = (entries: Entries, at: Date): Entries =>
  entries.filter((one) => one > at.getTime() - ENTRIES_WITHIN_MINUTES * 60_000 && one <= at.getTime() + 60_000);
