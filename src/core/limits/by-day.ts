/** Something of one day, in the zone of the server, such as 2026-11-22. */
export interface OfDay {
  readonly day: string;
}

/** Those of the last three days that were written, the last one at the end: clocks may differ, or be set back. */
export type ByDay<T extends OfDay> = readonly T[];

/** Of so many days something is kept. */
export const KEPT_DAYS = 3;

/** That of one day; undefined where nothing of it is kept. */
export const onDay = <T extends OfDay>(days: ByDay<T>, day: string): T | undefined =>
  days.find((one) => one.day === day);

/** With that of a day in place of what was kept of this day: no other day is changed by it. */
export const withDay = <T extends OfDay>(days: ByDay<T>, next: T): ByDay<T> =>
  [...days.filter(({ day }) => day !== next.day), next].slice(-KEPT_DAYS);
