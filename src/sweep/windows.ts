import type { VenueName } from '../core/ids.js';
import type { Market } from '../core/market/market.js';
import { type BetRow, eventKey } from '../core/performance/bet.js';
import type { SweepPlan, WindowSpan } from './plan.js';
import { SweepRefused } from './plan.js';

/** What variants are chosen by, and what they are judged by; null where nothing was kept for that. */
export interface SweepWindow {
  readonly name: string;
  readonly train: WindowSpan;
  readonly test: WindowSpan | null;
}

const DAY_MS = 86_400_000;

/** All of time: a sweep without windows. */
const EVERYTHING: WindowSpan = { from: Number.MIN_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER };

const isEverything = ({ from, to }: WindowSpan): boolean => from === EVERYTHING.from && to === EVERYTHING.to;

/** The windows of a plan over tapes of this span. @throws SweepRefused */
export function windowsOf(
  { windows }: Pick<SweepPlan, 'windows'>,
  { began, ended }: { readonly began: Date; readonly ended: Date },
  named: string,
): readonly SweepWindow[] {
  if (windows === null) return [{ name: 'all', train: EVERYTHING, test: null }];
  if (!('kind' in windows)) return windows;
  const train = windows.trainDays * DAY_MS;
  const test = windows.testDays * DAY_MS;
  const first = Math.floor(began.getTime() / DAY_MS) * DAY_MS;
  const walked: SweepWindow[] = [];
  for (let from = first; from + train <= ended.getTime(); from += test) {
    const border = from + train;
    walked.push({
      name: new Date(border).toISOString().slice(0, 10),
      train: { from: windows.kind === 'anchored' ? first : from, to: border },
      test: { from: border, to: border + test },
    });
  }
  if (walked.length > 0) return walked;
  const days = Math.ceil((ended.getTime() - first) / DAY_MS);
  throw new SweepRefused(
    `${named}: /windows/${windows.kind}/train_days is ${windows.trainDays}, and the tapes have ${days} days: train fewer, or add tapes.`,
  );
}

/** Whether no two tests have a moment in common: only then are they one after the other. */
export function areTestsApart(windows: readonly SweepWindow[]): boolean {
  const tests = windows.flatMap(({ test }) => (test === null ? [] : [test])).sort((a, b) => a.from - b.from);
  return tests.every(({ from }, at) => at === 0 || from >= (tests[at - 1]?.to ?? 0));
}

/** When the events of bets start, in milliseconds: one moment for all markets and variants. */
export type EventStarts = ReadonlyMap<string, number>;

/** The starts of the events of tapes: the earliest that their markets are first said to have. */
export function eventStarts(markets: readonly Market[], venue: VenueName): EventStarts {
  const starts = new Map<string, number>();
  for (const { id, event, startsAt } of markets) {
    if (startsAt === null) continue;
    const key = eventKey({ venue, marketId: id, event });
    starts.set(key, Math.min(starts.get(key) ?? Number.POSITIVE_INFINITY, startsAt.getTime()));
  }
  return starts;
}

/** Bets with the start of their event, which all bets on it share; null where none is known. */
export interface DatedBet {
  readonly bet: BetRow;
  readonly startsAt: number | null;
}

/** The bets of a strategy, each with the start of its event. */
export function datedBets(bets: readonly BetRow[], known: EventStarts): readonly DatedBet[] {
  const starts = new Map<string, number>();
  for (const bet of bets) {
    const key = eventKey(bet);
    const start = known.get(key) ?? bet.startsAt?.getTime() ?? Number.POSITIVE_INFINITY;
    starts.set(key, Math.min(starts.get(key) ?? start, start));
  }
  return bets.map((bet) => {
    const start = starts.get(eventKey(bet));
    return { bet, startsAt: start === undefined || start === Number.POSITIVE_INFINITY ? null : start };
  });
}

/** The bets on events of a span of time, and those of them that were dropped. */
export interface BetsOfSlice {
  readonly bets: readonly BetRow[];
  /** Bets on events of the span that were first filled outside of it: no figure has them. */
  readonly straddling: readonly BetRow[];
}

const holds = ({ from, to }: WindowSpan, moment: number): boolean => from <= moment && moment < to;

/** The bets whose events start in the span, and which were made in it. */
export function betsOfSlice(slice: WindowSpan, dated: readonly DatedBet[]): BetsOfSlice {
  if (isEverything(slice)) return { bets: dated.map(({ bet }) => bet), straddling: [] };
  const ofEvents = dated.flatMap(({ bet, startsAt }) => (startsAt !== null && holds(slice, startsAt) ? [bet] : []));
  const isWithin = ({ firstFillAt }: BetRow) => holds(slice, firstFillAt.getTime());
  return { bets: ofEvents.filter(isWithin), straddling: ofEvents.filter((bet) => !isWithin(bet)) };
}

/** How many of these bets are in no window because their event has no start. */
export const betsWithoutStart = (windows: readonly SweepWindow[], dated: readonly DatedBet[]): number =>
  windows.some(({ train }) => isEverything(train)) ? 0 : dated.filter(({ startsAt }) => startsAt === null).length;

/** The readings within a span, after what was known when it began. */
export function marksOfSlice<Mark extends { readonly at: Date }>(
  slice: WindowSpan,
  marks: readonly Mark[],
): readonly Mark[] {
  if (isEverything(slice)) return marks;
  const before = marks.findLast(({ at }) => at.getTime() < slice.from);
  const within = marks.filter(({ at }) => holds(slice, at.getTime()));
  return before === undefined ? within : [{ ...before, at: new Date(slice.from) }, ...within];
}

/** True of a day in UTC, by its number, that begins in one of the spans. */
export const isDayOf = (slices: readonly WindowSpan[], day: number): boolean =>
  slices.some((slice) => holds(slice, day * DAY_MS));
