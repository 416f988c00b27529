/** Hours of every day, as times such as `22:00`: from the first up to the second, over midnight where that is earlier. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** How a person wants to be notified. */
export interface MessageTerms {
  /** Null for none. */
  readonly quietHours: QuietHours | null;
  /** The time of the daily summary, such as `08:00`; null for none. */
  readonly summaryAt: string | null;
  /** The time zone of both, such as `Europe/Berlin`; null for the one in which days begin. */
  readonly zone: string | null;
  /** A message is sent once nothing more came for so long, and after three times as long at the latest. */
  readonly gatherMs: number;
}

/** 20 seconds of silence, a minute at most. */
const GATHER_MS = 20_000;

/** The terms of a person who sets none. */
export const DEFAULT_TERMS: MessageTerms = { quietHours: null, summaryAt: null, zone: null, gatherMs: GATHER_MS };
