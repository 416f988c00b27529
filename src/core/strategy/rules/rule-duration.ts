const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Largest first. */
const UNITS = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
  ['s', SECOND],
] as const;

/** The longest duration that a rule may have. */
const LONGEST = 3650 * DAY;

/** A duration of a rule: a whole number of seconds, minutes, hours or days. */
export const RULE_DURATION = '^(0|[1-9][0-9]{0,8})[smhd]$';
/** A time relative to the start of a game: negative is before it. */
export const RULE_OFFSET = '^-?(0|[1-9][0-9]{0,8})[smhd]$';

const DURATION = new RegExp(RULE_DURATION);

/** Milliseconds of `30s`, `15m`, `12h` or `90d`, at most 3650 days; undefined for any other text. */
export function readDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  const [, unit] = UNITS.find(([name]) => text.endsWith(name)) ?? ['s', SECOND];
  const ms = wholeIn(text.slice(0, -1)) * unit;
  return ms <= LONGEST ? ms : undefined;
}

/** The milliseconds of `10m` after the start of a game, or of `-10m` before it; undefined for other text. */
export function readOffset(text: string): number | undefined {
  if (!text.startsWith('-')) return readDuration(text);
  const ms = readDuration(text.slice(1));
  return ms === undefined ? undefined : 0 - ms;
}

/** Whole seconds in the largest unit that fits exactly: `90s`, `2m`, `-1d`. */
export function writeDuration(ms: number): string {
  const [name, unit] = UNITS.find(([, size]) => ms !== 0 && ms % size === 0) ?? ['s', SECOND];
  return `${BigInt(ms) / BigInt(unit)}${name}`;
}

/** Digits, at most nine of them. */
const wholeIn = (digits: string): number => [...digits].reduce((sum, digit) => sum * 10 + DIGITS.indexOf(digit), 0);
const DIGITS = '0123456789';
