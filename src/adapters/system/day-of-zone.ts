import type { DayOf } from '../../ports/system.js';

/**
 * The day of a moment by the calendar of a zone, such as `Europe/Berlin`: it begins at midnight there, and has 23 or 25 hours
 * where the clocks change. @throws RangeError for a zone that is not known
 *
 * @example
 * ```ts
 * import { dayOfZone } from 'stakeport/system';
 *
 * console.log(dayOfZone('America/New_York')(new Date('2026-03-08T04:59:59Z'))); // 2026-03-07
 * ```
 */
export function dayOfZone(timeZone: string): DayOf {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}
