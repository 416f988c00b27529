import { EVIDENCE } from '../market/event.js';
import type { Ratio, Usdc } from '../money.js';
import { type BetRow, betEvidence, isSettled } from './bet.js';
import { eventReturns } from './bet-sums.js';
import { type Interval, NO_RETURNS, normalYieldInterval, withReturn } from './intervals.js';

const HOUR = 3600;

/** Classes of decimal odds, each with its upper bound in tenths, which belongs to the next one. */
const ODDS_CLASSES = [
  ['1-1.5', 15n],
  ['1.5-2', 20n],
  ['2-3', 30n],
  ['3-5', 50n],
  ['5-10', 100n],
] as const;
const LONGEST_ODDS = '10+';

/** Classes of hours to the start of the event, each with its upper bound, which belongs to the next one. */
const HOUR_CLASSES = [
  ['started', 0],
  ['0-1', 1],
  ['1-3', 3],
  ['3-6', 6],
  ['6-12', 12],
  ['12-24', 24],
  ['24-48', 48],
] as const;
const MOST_HOURS = '48+';

/** The class of the decimal odds that a bet got, before fees: shares over stake. */
export function oddsClass({ shares, stake }: Pick<BetRow, 'shares' | 'stake'>): string {
  const found = ODDS_CLASSES.find(([, tenths]) => shares * 10n < tenths * stake);
  return found?.[0] ?? LONGEST_ODDS;
}

/** The class of the time from the first fill to the start; null where the start is not known. */
function hoursClass({ secondsToStart }: Pick<BetRow, 'secondsToStart'>): string | null {
  if (secondsToStart === null) return null;
  const found = HOUR_CLASSES.find(([, hours]) => secondsToStart < hours * HOUR);
  return found?.[0] ?? MOST_HOURS;
}

/** A property by which bets are divided. */
export interface SegmentRow {
  readonly by: string;
  /** Null where it is not known of a bet. */
  readonly keyOf: (bet: BetRow) => string | null;
  /** The keys in the order in which they are shown; else they are sorted. */
  readonly keys?: readonly string[];
}

/** By what bets are divided. */
export const SEGMENTS = [
  { by: 'odds', keyOf: oddsClass, keys: [...ODDS_CLASSES.map(([key]) => key), LONGEST_ODDS] },
  { by: 'sport', keyOf: ({ sport }) => sport },
  { by: 'league', keyOf: ({ league }) => league },
  { by: 'kind', keyOf: ({ kind }) => kind },
  { by: 'phase', keyOf: ({ phase }) => phase, keys: ['pre', 'in_play'] },
  { by: 'hours_to_start', keyOf: hoursClass, keys: [...HOUR_CLASSES.map(([key]) => key), MOST_HOURS] },
  { by: 'side', keyOf: ({ side }) => side },
  { by: 'strategy', keyOf: ({ strategy }) => strategy?.id ?? null },
  { by: 'version', keyOf: ({ strategy }) => (strategy === null ? null : `${strategy.id} ${strategy.version}`) },
  { by: 'liquidity', keyOf: ({ liquidity }) => liquidity },
  { by: 'evidence', keyOf: betEvidence, keys: EVIDENCE },
] as const satisfies readonly SegmentRow[];

/** What bets are divided by. */
export type SegmentBy = (typeof SEGMENTS)[number]['by'];

/** The settled bets that share one property. */
export interface Segment {
  readonly by: SegmentBy;
  readonly key: string | null;
  readonly bets: number;
  readonly profit: Usdc;
  /** Σ profit / Σ stake; null without a stake. */
  readonly yield: Ratio | null;
  /** Of that yield over events, by the normal approximation; null below two events. */
  readonly interval: Interval | null;
}

/** Compares the keys of one property: as listed, else as text; what is not known comes last. */
export const keyOrder =
  (keys: readonly string[] = []) =>
  (a: string | null, b: string | null): number => {
    if (a === b) return 0;
    if (a === null || b === null) return a === null ? 1 : -1;
    return keys.indexOf(a) - keys.indexOf(b) || (a < b ? -1 : 1);
  };

/** The settled bets, divided by each property in turn; bets of which it is not known come last. */
export function segmentsOf(bets: readonly BetRow[]): readonly Segment[] {
  const settled = bets.filter(isSettled);
  return SEGMENTS.flatMap((row: SegmentRow & { readonly by: SegmentBy }) => {
    const parts = new Map<string | null, BetRow[]>();
    for (const bet of settled) {
      const key = row.keyOf(bet);
      const part = parts.get(key);
      if (part === undefined) parts.set(key, [bet]);
      else part.push(bet);
    }
    const order = keyOrder(row.keys);
    return [...parts].sort(([a], [b]) => order(a, b)).map(([key, part]) => segmentOf(row.by, key, part));
  });
}

function segmentOf(by: SegmentBy, key: string | null, bets: readonly BetRow[]): Segment {
  const sums = eventReturns(bets).reduce(withReturn, NO_RETURNS);
  return {
    by,
    key,
    bets: bets.length,
    profit: sums.profit as Usdc,
    yield: sums.stake === 0n ? null : { n: sums.profit, d: sums.stake },
    interval: normalYieldInterval(sums),
  };
}
