import { median } from './rounds.js';

/** What a figure should reach: at least, or at most. */
export interface Aim {
  readonly is: '≥' | '≤';
  readonly value: number;
}

/** A number that is compared over time: the median of its rounds. */
export interface Figure {
  /** As the table of docs/performance.md names it. */
  readonly name: string;
  /** Empty for a ratio. */
  readonly unit: string;
  readonly aim: Aim | null;
  /** Empty where it could not be measured. */
  readonly rounds: readonly number[];
  /** The same ratio of processor time, all threads together, which a busy machine disturbs less; empty where there is none. */
  readonly byProcessorTime: readonly number[];
}

/** What a part of the bench found: tables for people, and its figures. */
export interface Findings {
  readonly text: string;
  readonly figures: readonly Figure[];
}

/** What docs/performance.md calculates with: microseconds of processor time an order, by who spends it. */
export const COSTS = {
  sqliteMain: 'an order on SQLite: main thread',
  sqliteOthers: 'an order on SQLite: other threads',
  postgresMain: 'an order on Postgres: main thread',
  postgresOthers: 'an order on Postgres: other threads',
  postgresDatabase: "an order on Postgres: Postgres' processes",
} as const;

/** The same: what an order writes to the log of Postgres. */
export const LOG_BYTES = 'an order on Postgres: its log';

/** At least this. */
export const atLeast = (value: number): Aim => ({ is: '≥', value });

/** At most this. */
export const atMost = (value: number): Aim => ({ is: '≤', value });

/** A part that found nothing but tables. */
export const only = (text: string): Findings => ({ text, figures: [] });

/** A line for each figure: its name, what was measured, and the aim. */
export function figureRows(figures: readonly Figure[]): string[][] {
  return figures.map(({ name, unit, aim, rounds, byProcessorTime }) => [
    name,
    shown(rounds, unit),
    byProcessorTime.length === 0 ? '' : shown(byProcessorTime, unit),
    aim === null ? '' : `${aim.is} ${aim.value}${unit === '' ? '' : ` ${unit}`}`,
  ]);
}

/** The head of a table of `figureRows`. */
export const FIGURE_HEAD = ['figure', 'measured', 'by processor time', 'aim'];

function shown(rounds: readonly number[], unit: string): string {
  const measured = rounds.filter((round) => !Number.isNaN(round));
  if (measured.length === 0) return 'not measured';
  const digits = unit === '' ? 2 : 0;
  return `${median(measured).toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`;
}
