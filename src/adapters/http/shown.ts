import { JsonNumber } from './json-reader.js';

/** Longer texts are not quoted: their length is what is wrong, or they may be a secret. */
const LONGEST = 40;
/** What begins like an API key or a token, that of a messenger too, or is long enough in hexadecimal digits to be a key. */
const SECRET = /^(sp_|tk_|bearer\b|basic\b|eyJ)|^\d{6,20}:[\w-]{10}|[0-9a-f]{32}/i;
/** Characters that have no special meaning in a page, a terminal or a log. */
const PLAIN = /^[A-Za-z0-9 ._:+-]*$/;

/** What a client sent, short and in one line, for the message that refuses it: never a text that may be a secret. */
export function shown(value: unknown): string {
  if (value instanceof JsonNumber) return value.text.length > LONGEST ? 'a longer number' : value.text;
  if (typeof value === 'string') return shownText(value);
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'an object';
  return String(value);
}

function shownText(text: string): string {
  const { length } = text;
  const isShown = length <= LONGEST && PLAIN.test(text) && !SECRET.test(text);
  return isShown ? `"${text}"` : `a text of ${length} characters`;
}
