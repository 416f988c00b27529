/** Hours of every day, as times such as `22:00`: from the first up to the second, over midnight where that is earlier. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** Whether a time of day is within them. Times of one form compare as texts. */
export function isQuiet({ from, to }: QuietHours, time: string): boolean {
  return from <= to ? from <= time && time < to : from <= time || time < to;
}
