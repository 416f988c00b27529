import { nextExitAt, waitAfter } from '../../../strategy/exit/exit-times.js';
import { tradingRules } from '../../../strategy/rules/trading-rules.js';
import type { ExitEntry } from './exit-entries.js';

/** True while the next attempt to sell has to wait. */
export function waitsAt(entry: ExitEntry, now: Date): boolean {
  const last = lastTry(entry);
  return last !== null && now.getTime() < last + waitAfter(triesOf(entry));
}

/** When a position is looked at again, whether or not its market changes; null where its next change is enough. */
export function nextLook(entry: ExitEntry, startsAt: Date | null, now: Date): Date | null {
  const { strategy, since } = entry.held;
  const byRules = nextExitAt(tradingRules(strategy).exit ?? {}, startsAt, since, now);
  const last = lastTry(entry);
  // What an attempt left may be sold by the same book.
  const again = last === null ? 0 : last + Math.max(waitAfter(triesOf(entry)), waitAfter(1));
  const moments = [...(byRules === null ? [] : [byRules.getTime()]), ...(again > now.getTime() ? [again] : [])];
  return moments.length === 0 ? null : new Date(Math.min(...moments));
}

/** Whether the next look is planned for this start of the game, and after the last refusal. */
export const isPlanned = ({ planned, lastRefusalAt }: ExitEntry, startsAt: Date | null): boolean =>
  planned?.startsAt?.getTime() === startsAt?.getTime() && planned?.lastRefusalAt === lastRefusalAt;

const triesOf = ({ held, refusals }: ExitEntry): number => held.tries + refusals;

function lastTry({ held, lastRefusalAt }: ExitEntry): number | null {
  const moments = [held.lastTryAt, lastRefusalAt].flatMap((at) => (at === null ? [] : [at.getTime()]));
  return moments.length === 0 ? null : Math.max(...moments);
}
