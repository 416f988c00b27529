import type { DayOf, LocalTime } from '../../ports/system.js';

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The day and the time of day of a moment by the calendar and the clocks of a zone. @throws RangeError for a zone that is not known
 *
 * @example
 * ```ts
 * import { localTime } from 'stakeport/memory';
 *
 * console.log(localTime(new Date('2026-12-05T21:30:00Z'), 'Europe/Berlin')); // { day: '2026-12-05', time: '22:30' }
 * ```
 */
export const localTime: LocalTime = (at, zone) => {
  const format = formats.get(zone) ?? formatOf(zone);
  formats.set(zone, format);
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
};

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  return new Intl.DateTimeFormat('sv-SE', { timeZone, ...date, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/**
 * The day of a moment by the calendar of a zone, such as `Europe/Berlin`: it begins at midnight there, and has 23 or 25 hours
 * where the clocks change. @throws RangeError for a zone that is not known
 *
 * @example
 * ```ts
 * import { dayOfZone } from 'stakeport/memory';
 *
 * console.log(dayOfZone('America/New_York')(new Date('2026-03-08T04:59:59Z'))); // 2026-03-07
 * ```
 */
export function dayOfZone(timeZone: string): DayOf {
  // The tables of languages and zones are read for others alone.
  if (timeZone === 'UTC') return (at) => at.toISOString().slice(0, 'yyyy-mm-dd'.length);
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return (at) => format.format(at);
}
