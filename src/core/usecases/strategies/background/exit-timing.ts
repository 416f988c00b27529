import { nextExitAt, waitAfter } from '../../../strategy/exit/exit-times.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { ExitEntry } from './exit-entries.js';

/** So long limits may hold an exit back before that is an alarm. */
export const HELD_BACK_MS = 60_000;

/** True while the next attempt to sell has to wait. */
export function waitsAt(entry: ExitEntry, now: Date): boolean {
  const last = lastTry(entry);
  if (last === null) return false;
  const alarm = alarmAt(entry);
  // Nobody is told before it was tried once more.
  if (alarm !== null && last < alarm && alarm <= now.getTime()) return false;
  return now.getTime() < last + waitAfter(triesOf(entry));
}

/** When a position is looked at again, whether or not its market changes; null where its next change is enough. */
export function nextLook(entry: ExitEntry, startsAt: Date | null, now: Date): Date | null {
  const { strategy, since } = entry.held;
  const byRules = nextExitAt(tradingRules(strategy).exit ?? {}, startsAt, since, now);
  const last = lastTry(entry);
  // What an attempt left may be sold by the same book.
  const again = last === null ? 0 : last + Math.max(waitAfter(triesOf(entry)), waitAfter(1));
  const moments = [byRules?.getTime() ?? 0, again, alarmAt(entry) ?? 0].filter((moment) => moment > now.getTime());
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}

/** Whether the next look is planned for this start of the game, and after the last refusal. */
export const isPlanned = ({ planned, lastRefusalAt }: ExitEntry, startsAt: Date | null): boolean =>
  planned?.startsAt?.getTime() === startsAt?.getTime() && planned?.lastRefusalAt === lastRefusalAt;

/** When an exit that is held back becomes an alarm; null where that is none, or is one already. */
const alarmAt = ({ heldBack }: ExitEntry): number | null =>
  heldBack === null || heldBack.isRaised ? null : heldBack.since.getTime() + HELD_BACK_MS;

const triesOf = ({ held, refusals }: ExitEntry): number => held.tries + refusals;

function lastTry({ held, lastRefusalAt }: ExitEntry): number | null {
  const moments = [held.lastTryAt, lastRefusalAt].flatMap((at) => (at === null ? [] : [at.getTime()]));
  return moments.length === 0 ? null : Math.max(...moments);
}
