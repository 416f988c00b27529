import type { DayOf } from '../../ports/system.js';
import type { VenueName } from '../ids.js';
import type { BetRow } from './bet.js';
import { type BetSums, NO_SUMS, sumsOf, withSums } from './bet-sums.js';
import { keyOrder, SEGMENTS, type SegmentRow } from './segments.js';

/** By what the results of an account are divided. */
export const RESULTS_BY = ['strategy', 'version', 'sport', 'league', 'kind', 'odds', 'phase', 'day'] as const;

/** One of them. */
export type ResultBy = (typeof RESULTS_BY)[number];

/** What the bets of one sum share: the kind of money, the venue, and one property. */
export interface SumKey {
  readonly paper: boolean;
  readonly venue: VenueName;
  readonly by: ResultBy;
  /** Null where it is not known of a bet; of open bets the day is not. */
  readonly key: string | null;
}

/** The sums of the bets that share this. */
export interface KeptSums extends SumKey {
  readonly sums: BetSums;
}

/** Changes with what is added up, so that sums of other versions are made anew. */
const FORM = 1;

/** How sums are made, by the zone of their days: those made in another way are of no use. */
export const formOfSums = (dayZone: string): string => `${FORM} ${dayZone}`;

/** Names a sum within an account. */
export const sumName = ({ paper, venue, by, key }: SumKey): string => JSON.stringify([paper, venue, by, key]);

const DIVISIONS = new Map<string, SegmentRow>(SEGMENTS.map((row) => [row.by, row]));

/** The name of the sum that a bet is in; of an open bet the day is not known. */
export function sumKeyOf(by: ResultBy, bet: BetRow, dayOf: DayOf): SumKey {
  const { paper, venue, settledAt } = bet;
  const day = settledAt === null ? null : dayOf(settledAt);
  return { paper, venue, by, key: by === 'day' ? day : (DIVISIONS.get(by)?.keyOf(bet) ?? null) };
}

/** The order in which sums are shown; those of what is not known come last. */
export function bySumKey(a: SumKey, b: SumKey): number {
  const order = keyOrder(DIVISIONS.get(a.by)?.keys);
  return order(a.key, b.key) || (a.venue < b.venue ? -1 : a.venue > b.venue ? 1 : 0);
}

/** The sums of bets, which are all of the events that they are of: by each property in turn, kinds of money and venues apart. */
export function sumsByKey(
  bets: readonly BetRow[],
  dayOf: DayOf,
  divisions: readonly ResultBy[] = RESULTS_BY,
): readonly KeptSums[] {
  const parts = new Map<string, SumKey & { readonly bets: BetRow[] }>();
  for (const bet of bets)
    for (const by of divisions) {
      const key = sumKeyOf(by, bet, dayOf);
      const part = parts.get(sumName(key));
      if (part === undefined) parts.set(sumName(key), { ...key, bets: [bet] });
      else part.bets.push(bet);
    }
  return [...parts.values()].map(({ bets: part, ...key }) => ({ ...key, sums: sumsOf(part) }));
}

/**
 * What becomes of kept sums when bets change. `before` and `after` are all bets of the events that changed, since squares are
 * of what an event staked and earned; `kept` gives the sums on record by their names.
 */
export function sumsAfter(
  before: readonly KeptSums[],
  after: readonly KeptSums[],
  kept: ReadonlyMap<string, KeptSums>,
): readonly KeptSums[] {
  const changed = new Map<string, KeptSums>();
  const add = (row: KeptSums, times: 1 | -1) => {
    const name = sumName(row);
    const { sums } = changed.get(name) ?? kept.get(name) ?? { sums: NO_SUMS };
    changed.set(name, { ...row, sums: withSums(sums, row.sums, times) });
  };
  for (const row of before) add(row, -1);
  for (const row of after) add(row, 1);
  return [...changed.values()];
}

const digits = (_name: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Sums with what they are of, as JSON: integers as decimal texts, bins without a forecast as null. */
export function keptSumsText({ sums, ...key }: KeptSums): string {
  const bins = (of: BetSums['mids']) => of.map((bin) => (bin.count === 0n ? null : bin));
  return JSON.stringify({ ...key, sums: { ...sums, forecasts: bins(sums.forecasts), mids: bins(sums.mids) } }, digits);
}

type Written<T> = { readonly [K in keyof T]: T[K] extends bigint ? string : T[K] };

interface WrittenSums {
  readonly of: Written<BetSums['of']>;
  readonly returns: Written<BetSums['returns']>;
  readonly forecasts: readonly (Written<BetSums['mids'][number]> | null)[];
  readonly mids: WrittenSums['forecasts'];
}

type WrittenKept = SumKey & { readonly sums: WrittenSums };

const { events: _events, ...NO_AMOUNTS } = NO_SUMS.returns;

/** Reads back a JSON array of what `keptSumsText` wrote. */
export const keptSumsListIn = (texts: string): readonly KeptSums[] =>
  (JSON.parse(texts) as readonly WrittenKept[]).map(keptSumsOf);

function keptSumsOf({ sums, ...key }: WrittenKept): KeptSums {
  const { events, ...returns } = sums.returns;
  const bins = (of: WrittenSums['mids']) => NO_SUMS.mids.map((none, at) => integers(of[at] ?? {}, none));
  return {
    ...key,
    sums: {
      of: integers(sums.of, NO_SUMS.of),
      returns: { ...integers(returns, NO_AMOUNTS), events },
      forecasts: bins(sums.forecasts),
      mids: bins(sums.mids),
    },
  };
}

const integers = <K extends string>(
  texts: Readonly<Partial<Record<K, string>>>,
  none: Readonly<Record<K, bigint>>,
): Record<K, bigint> =>
  Object.fromEntries((Object.keys(none) as K[]).map((name) => [name, BigInt(texts[name] ?? '0')])) as Record<K, bigint>;
