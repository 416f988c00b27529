const END_OF_9999 = Date.UTC(10_000, 0) - 1;

/** True of a moment that every store keeps and every text of it names: from 1970 to 9999. */
export const isMoment = (date: Date): boolean => date.getTime() >= 0 && date.getTime() <= END_OF_9999;

const KEPT = 64;
const keptMs: number[] = new Array(KEPT).fill(Number.NaN);
const keptTexts: string[] = new Array(KEPT).fill('');

/** The moment as ISO 8601 text in UTC, to the millisecond. @throws RangeError for an invalid date */
export function isoText(date: Date): string {
  const ms = date.getTime();
  // All records of one write have the same moment, and its text is by far the dearest of theirs.
  const place = ms & (KEPT - 1);
  if (keptMs[place] !== ms) {
    keptTexts[place] = date.toISOString();
    keptMs[place] = ms;
  }
  return keptTexts[place] ?? '';
}
