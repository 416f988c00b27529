const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const LONGEST = 3650 * DAY;

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND],
  ['h', HOUR],
  ['d', DAY],
]);

const DURATION = /^([1-9]\d{0,8})([shd])$/;

/**
 * Reads `30s`, `12h` or `90d` into milliseconds: more than 0, at most 3650 days.
 * @throws RangeError for anything else, in words that follow the name of what was read.
 */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS.get(unit) ?? Number.NaN);
  if (milliseconds <= LONGEST) return milliseconds;
  throw new RangeError('must be a whole number of seconds, hours or days such as 30s, 12h or 90d, at most 3650d');
}
