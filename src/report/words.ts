import type { Verdict } from '../core/performance/measure.js';
import type { SegmentBy } from '../core/performance/segments.js';

/** The parts of slippage in words. */
export const SLIPPAGE_WORDS = {
  slippage_spread: {
    title: 'Slippage: spread',
    unit: 'points',
    formula: 'Best offer less middle of the book at the decision, per share. Above 0 is a cost.',
  },
  slippage_delay: {
    title: 'Slippage: delay',
    unit: 'points',
    formula: 'Best offer on arrival less best offer at the decision, per share.',
  },
  slippage_depth: {
    title: 'Slippage: depth',
    unit: 'points',
    formula: 'Average price paid less best offer on arrival, per share.',
  },
} as const;

/** What a verdict means, before its figures. */
export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  'not enough bets': 'Not enough bets to tell an edge from luck',
  'no evidence': 'No evidence of an edge',
  evidence: 'Evidence of an edge',
  loss: 'Evidence of a loss',
};

/** What bets are divided by, as a heading. */
export const SEGMENT_WORDS: Readonly<Record<SegmentBy, string>> = {
  odds: 'decimal odds',
  sport: 'sport',
  league: 'league',
  kind: 'kind of market',
  phase: 'phase',
  hours_to_start: 'hours to the start',
  side: 'side',
  strategy: 'strategy',
  version: 'version',
  liquidity: 'liquidity',
  evidence: 'kind of data',
};

const MINUS = '−';
const grouped = (digits: string): string => digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');

/** A number with so many decimals, thousands apart: `1,204.10`, `−3.00`. */
export function fixed(value: number, decimals: number): string {
  const [whole = '', fraction] = Math.abs(value).toFixed(decimals).split('.');
  const digits = fraction === undefined ? grouped(whole) : `${grouped(whole)}.${fraction}`;
  return value < 0 && /[1-9]/.test(digits) ? `${MINUS}${digits}` : digits;
}

/** A number with a sign where it is not 0. */
const signed = (value: number, decimals: number): string => {
  const text = fixed(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
};

/** As many decimals as numbers need that are so far apart; 2 of a number by itself, which is 0 apart. */
export const decimalsFor = (step: number): number =>
  step === 0 ? 2 : ([1, 0.1, 0.01, 0.001].findIndex((one) => step >= one * 0.999) + 5) % 5;

/** A part as percent: `4.1 %`. */
export const percent = (part: number, decimals = 1): string => `${fixed(part * 100, decimals)} %`;

/** A gain or a loss as percent, with its sign. */
export const signedPercent = (part: number, decimals = 1): string => `${signed(part * 100, decimals)} %`;

/** Dollars with cents and a sign. */
export const gainText = (dollars: number): string => `${signed(dollars, 2)} USDC`;

/** A key of what bets are divided by. */
export const keyText = (key: string | null): string => (key === null ? 'not known' : key.replaceAll('_', ' '));

/** A count with its noun: `1 bet`, `2,000 bets`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${grouped(String(count))} ${count === 1 ? noun : plural}`;

/** A moment to the minute: `2026-03-01 12:00`. */
export const minuteText = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

const DAY_MS = 86_400_000;
/** The day of a moment: `2026-03-01`. */
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** A moment to the second: `2026-03-01 12:00:00`. */
export const secondText = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** A round time on an axis among the others: its day where they are days apart, else the clock, and the day where one begins. */
export function tickText(ms: number, all: readonly number[], place: number): string {
  const step = (all[1] ?? ms) - (all[0] ?? ms);
  const text = secondText(ms);
  if (step >= DAY_MS) return text.slice(0, 10);
  const clock = text.slice(11, step > 0 && step < 60_000 ? 19 : 16);
  if (ms % DAY_MS === 0) return text.slice(5, 10);
  return place === 0 ? `${text.slice(5, 10)} ${clock}` : clock;
}

/** A length of time in its two largest units: `3 days 4 h`. */
export function lengthText(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600)];
  const minutes = Math.floor((seconds % 3600) / 60);
  if (days > 0) return `${counted(days, 'day')}${hours > 0 ? ` ${hours} h` : ''}`;
  if (hours > 0) return `${hours} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  return minutes > 0 ? `${minutes} min` : `${Math.floor(seconds)} s`;
}
