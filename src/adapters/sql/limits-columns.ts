import type { Counted, DaySpent } from '../../core/limits/counted.js';
import type { Limits } from '../../core/limits/limits.js';
import type { DayStart, KeptLosses, LossMarks, LossRecord } from '../../core/limits/loss-marks.js';
import type { Risk, WorkingRisk } from '../../core/limits/risk.js';
import type { Price, Shares, Usdc } from '../../core/money.js';
import type { CountedBet } from '../../core/order/intent.js';
import type { DayBets, StrategyCounted } from '../../core/strategy/strategy.js';
import { type Column, document, orAbsent } from './columns.js';

/** Micro-units as text: a JSON number could lose their last digits. */
export const withDigits = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? `${member}` : member));

/** Limits as `withDigits` writes them: amounts are text, counts are numbers. */
export function limitsIn(text: string): Limits {
  return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? BigInt(value) : value)) as Limits;
}

type Written<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? string : T[Name] };

interface WrittenWorking extends Omit<Written<WorkingRisk>, 'bids' | 'asks'> {
  readonly bids: readonly (readonly [string, number])[];
  readonly asks: readonly (readonly [string, number])[];
}

function riskIn(text: string): Risk {
  const { group, working } = JSON.parse(text) as Pick<Risk, 'group'> & { readonly working: WrittenWorking };
  const { orders, selling, lost, split, won, bids, asks } = working;
  const counts = (written: WrittenWorking['bids']) =>
    written.map(([price, count]) => [BigInt(price) as Price, count] as const);
  return {
    group,
    working: {
      orders,
      selling: BigInt(selling) as Shares,
      lost: BigInt(lost) as Usdc,
      split: BigInt(split) as Usdc,
      won: BigInt(won) as Usdc,
      bids: counts(bids),
      asks: counts(asks),
    },
  };
}

type WrittenDay = Omit<DaySpent, 'spent' | 'reserved'> & { readonly spent: string; readonly reserved?: string };
type WrittenCounted = Omit<Written<Counted>, 'days'> & { readonly days: readonly WrittenDay[] };

// Members stay in the order in which they are written: what is remembered is compared with what is stored as text.
function countedIn(text: string): Counted {
  const { days, booked, ...rest } = JSON.parse(text) as WrittenCounted;
  const daysIn = days.map(({ day, spent, reserved, ...first }) => ({
    day,
    spent: BigInt(spent) as Usdc,
    ...(reserved !== undefined && { reserved: BigInt(reserved) as Usdc }),
    ...first,
  }));
  return { days: daysIn, booked: BigInt(booked) as Usdc, ...rest };
}

type WrittenMarks = { readonly days: readonly Written<DayStart>[]; readonly peak: string | null };

const marksIn = ({ days, peak }: WrittenMarks): LossMarks => ({
  days: days.map(({ day, start }) => ({ day, start: BigInt(start) as Usdc })),
  peak: amountOrNull(peak),
});

const amountOrNull = (text: string | null): Usdc | null => (text === null ? null : (BigInt(text) as Usdc));

function lossesIn(text: string): KeptLosses {
  const { paper, live } = JSON.parse(text) as Partial<Record<keyof KeptLosses, WrittenMarks>>;
  return { ...(paper && { paper: marksIn(paper) }), ...(live && { live: marksIn(live) }) };
}

/** What losses are measured from, as `withDigits` writes it in an event. */
export const lossRecordIn = ({ paper, day, start, peak }: WrittenRecord): LossRecord => ({
  paper,
  day,
  start: BigInt(start) as Usdc,
  peak: amountOrNull(peak),
});

type WrittenRecord = Omit<Written<LossRecord>, 'peak'> & { readonly peak: string | null };

/** What an account may risk; null where nobody ever set it. */
export const limitsColumn = (): Column<Limits | undefined> => orAbsent(document(withDigits, limitsIn));
/** What losses are measured from; null where none is limited. */
export const lossesColumn = (): Column<KeptLosses | undefined> => orAbsent(document(withDigits, lossesIn));
/** What is counted of the trading with one sum of cash; null before anything was. */
export const countedColumn = (): Column<Counted | undefined> => orAbsent(document(withDigits, countedIn));
/** Why a position may still lose money; null where nothing is kept about that. */
export const riskColumn = (): Column<Risk | undefined> => orAbsent(document(withDigits, riskIn));

type WrittenBets = Omit<Written<StrategyCounted>, 'days'> & {
  readonly days: readonly (Omit<DayBets, 'start'> & { readonly start: string | null })[];
};

function betsIn(text: string): StrategyCounted {
  const written = JSON.parse(text) as WrittenBets;
  const days = written.days.map((one) => ({ ...one, start: amountOrNull(one.start) }));
  return { ...written, days, booked: BigInt(written.booked) as Usdc };
}

/** What is counted of the trading of a strategy; null before anything was. */
export const strategyCountedColumn = (): Column<StrategyCounted | undefined> => orAbsent(document(withDigits, betsIn));

/** How a purchase of a strategy was counted, as `withDigits` writes it. */
export function countedBetIn(text: string): CountedBet {
  const { reset, n, start } = JSON.parse(text) as Omit<CountedBet, 'start'> & { readonly start: string | null };
  return { reset, n, start: amountOrNull(start) };
}

/** How a purchase of a strategy was counted; null for all other orders. */
export const countedBetColumn = (): Column<CountedBet | undefined> => orAbsent(document(withDigits, countedBetIn));
