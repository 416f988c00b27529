const END_OF_9999 = Date.UTC(10_000, 0) - 1;

/** True of a moment that every store keeps and every text of it names: from 1970 to 9999. */
export const isMoment = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= END_OF_9999;

let lastMs = Number.NaN;
let lastText = '';

/** The moment as ISO 8601 text in UTC, to the millisecond. @throws RangeError for an invalid date */
export function isoText(date: Date): string {
  const ms = date.getTime();
  // All records of one write have the same moment, and its text is by far the dearest of theirs.
  if (ms !== lastMs) {
    lastText = date.toISOString();
    lastMs = ms;
  }
  return lastText;
}
