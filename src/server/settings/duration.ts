const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LONGEST = 3650 * DAY;

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', SECOND],
  ['m', MINUTE],
  ['h', HOUR],
  ['d', DAY],
]);

const DURATION = /^([1-9]\d{0,8})([smhd])$/;

/**
 * Reads `30s`, `15m`, `12h` or `90d` into milliseconds: more than 0, at most 3650 days.
 * @throws RangeError for anything else, with a message that follows the setting's name.
 */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const milliseconds = Number(count) * (UNITS.get(unit) ?? Number.NaN);
  if (milliseconds <= LONGEST) return milliseconds;
  throw new RangeError(
    'must be a whole number of seconds, minutes, hours or days such as 30s, 15m, 12h or 90d, at most 3650d',
  );
}
