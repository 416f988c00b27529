import type { QuietHours } from '../endpoint/message-terms.js';

/** Whether a time of day is within them. Times of one form compare as texts. */
export function isQuiet({ from, to }: QuietHours, time: string): boolean {
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
