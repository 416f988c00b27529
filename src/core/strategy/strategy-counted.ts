import { minus, NO_USDC, plus, type Usdc } from '../money.js';

/** What is counted of the trading of a strategy, with one kind of money. */
export interface StrategyCounted {
  /** The day of its last purchase, in the zone of the server, such as 2026-11-22. */
  readonly day: string;
  /** How many purchases were accepted on that day. */
  readonly bets: number;
  /** What trading brought, sold or not, when the first of them was measured; null where none was. */
  readonly start: Usdc | null;
  /** What trading brought since counting began, less its fees: of sales and results, not of what is held. */
  readonly booked: Usdc;
  /** True where it was counted from the first trade on: then all its positions together brought as much. */
  readonly isWhole?: true;
}

/** Nothing was counted yet, of a strategy that may have traded before. */
export const NOTHING_BET: StrategyCounted = { day: '', bets: 0, start: null, booked: NO_USDC };

/** Of one that has not traded. */
export const NEVER_BET: StrategyCounted = { ...NOTHING_BET, isWhole: true };

/** How many purchases were accepted today. */
export const betsOn = ({ day, bets }: StrategyCounted, today: string): number => (day === today ? bets : 0);

/** What was lost today, by what trading brought until now. */
export function lostOn({ day, start }: StrategyCounted, today: string, gain: Usdc): Usdc {
  const lost = day === today && start !== null ? minus(start, gain) : NO_USDC;
  return lost > 0n ? lost : NO_USDC;
}

/** After a purchase was accepted; `gain` is what trading brought until then, null where it was not measured. */
export const afterBet = (counted: StrategyCounted, today: string, gain: Usdc | null): StrategyCounted =>
  counted.day === today
    ? { ...counted, bets: counted.bets + 1, start: counted.start ?? gain }
    : { ...counted, day: today, bets: 1, start: gain };

/** After trading brought so much, or, negative, cost it. */
export const afterResult = (counted: StrategyCounted, amount: Usdc): StrategyCounted =>
  amount === 0n ? counted : { ...counted, booked: plus(counted.booked, amount) };

/** A strategy that was filled so often in one outcome, within so many minutes, stops until a person lets it go on. */
export const MOST_ENTRIES = 5;
/** With the default cooldown a strategy comes to three. */
export const ENTRIES_WITHIN_MINUTES = 10;

/** The moments, in milliseconds since 1970, at which purchases of one outcome began to fill: those of the last ten minutes. */
export type Entries = readonly number[];

/** Those that still count. */
export const entriesWithin = (entries: Entries, at: Date): Entries =>
  entries.filter((one) => one > at.getTime() - ENTRIES_WITHIN_MINUTES * 60_000);
