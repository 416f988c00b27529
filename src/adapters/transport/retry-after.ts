import type { Answered } from './send-once.js';

/** The longest wait that an answer may impose, unless configured otherwise. */
export const LONGEST_WAIT_MS = 60_000;

const SECONDS = /^\d{1,18}$/;

/**
 * How long the venue asks to wait: by `retry-after`, in seconds or as a date, else by `retry_after_seconds` of the body.
 * From 0 to `longestMs`; null when missing or malformed.
 */
export function retryAfterMs(
  { headers }: Pick<Answered, 'headers'>,
  bodySeconds: string | null = null,
  longestMs = LONGEST_WAIT_MS,
): number | null {
  for (const text of [String(headers['retry-after'] ?? '').trim(), bodySeconds ?? '']) {
    const wait = SECONDS.test(text) ? Number(text) * 1000 : untilDate(text);
    if (wait !== null) return Math.min(wait, longestMs);
  }
  return null;
}

/** Only a date that names its day: `Date.parse` finds a year in almost any number. */
function untilDate(text: string): number | null {
  const moment = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - Date.now());
}
