import { NO_USDC, type Usdc } from '../money.js';
import type { Limits } from './limits.js';
import { type KeptLosses, type LossMarks, type LossRecord, UNMEASURED } from './loss-marks.js';

/** The part of an account that tells what its losses are measured from. */
export interface MeasuredFrom {
  readonly limits?: Limits | undefined;
  readonly losses?: KeptLosses | undefined;
}

/**
 * What a change of an account adds to its log: each new day, each change of what its limits need, and a new peak once it
 * reaches another tenth of the drawdown that is allowed. So a market that rises adds no event a second.
 */
export function lossRecords(before: MeasuredFrom, after: MeasuredFrom): readonly LossRecord[] {
  if (before.losses === after.losses && before.limits === after.limits) return [];
  return [...newMarks(before, after, 'paper'), ...newMarks(before, after, 'live')];
}

function newMarks(before: MeasuredFrom, after: MeasuredFrom, kind: keyof KeptLosses): readonly LossRecord[] {
  const [was, is] = [before.losses?.[kind], after.losses?.[kind]];
  if (was === undefined && is === undefined) return [];
  const cap = drawdownOf(after);
  const record = recordOf(is ?? UNMEASURED, kind === 'paper');
  const isKnown = is !== undefined && was !== undefined && drawdownOf(before) === cap;
  return isKnown && isWithin(record, recordOf(was, record.paper), cap) ? [] : [record];
}

/** What an event tells of marks; a day without a name before there is one. */
export function recordOf({ days, peak }: LossMarks, paper: boolean): LossRecord {
  const { day, start } = days.at(-1) ?? { day: '', start: NO_USDC };
  return { paper, day, start, peak };
}

/** True of marks that may have come from recorded ones without another record. */
export function isWithin(marks: LossRecord, recorded: LossRecord, cap: Usdc | null): boolean {
  const { day, start, peak } = recorded;
  return marks.day === day && marks.start === start && stepOf(marks.peak, cap) === stepOf(peak, cap);
}

/** What an account that has no marks is held against. */
export const marksOf = (losses: KeptLosses | undefined, paper: boolean): LossMarks =>
  losses?.[paper ? 'paper' : 'live'] ?? UNMEASURED;

/** The limit that `isWithin` needs. */
export const drawdownOf = ({ limits }: MeasuredFrom): Usdc | null => limits?.drawdownUsdc ?? null;

const STEPS = 10n;

/** The tenth of the allowed drawdown that a peak lies in, counted from a gain of nothing; the peak itself without one. */
function stepOf(peak: Usdc | null, cap: Usdc | null): bigint | null {
  if (peak === null || cap === null || cap === 0n) return peak;
  const tenths = STEPS * peak;
  const rest = tenths % cap;
  return tenths / cap - (rest < 0n ? 1n : 0n);
}
