const KEY_BYTES = 32;
const ZERO = 48;
const LETTER_X = 120;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** The bytes of the longest text that can be a key: `0x`, 64 digits and the end of a line. */
export const LONGEST_KEY = 2 + 2 * KEY_BYTES + 2;

/** Memory outside the garbage-collected heap, which would leave copies behind when it moves what it holds. */
export const unmovedBytes = (length: number): Uint8Array => new Uint8Array(new ArrayBuffer(length));

/**
 * Reads 64 hexadecimal digits, with or without `0x` and a line end, into bytes of their own. No text is made of them. Null
 * when `text` is anything else.
 */
export function readKey(text: Uint8Array): Uint8Array | null {
  const digits = text.subarray(startOf(text), endOf(text));
  if (digits.length !== 2 * KEY_BYTES) return null;
  const key = unmovedBytes(KEY_BYTES);
  for (let i = 0; i < KEY_BYTES; i++) {
    const high = digitAt(digits, 2 * i);
    const low = digitAt(digits, 2 * i + 1);
    if (high === null || low === null) {
      key.fill(0);
      return null;
    }
    key[i] = 16 * high + low;
  }
  return key;
}

const startOf = (text: Uint8Array): number => (text[0] === ZERO && text[1] === LETTER_X ? 2 : 0);

function endOf(text: Uint8Array): number {
  const line = text[text.length - 1] === LINE_FEED ? text.length - 1 : text.length;
  return line < text.length && text[line - 1] === CARRIAGE_RETURN ? line - 1 : line;
}

function digitAt(digits: Uint8Array, place: number): number | null {
  const code = digits[place] ?? 0;
  if (code >= ZERO && code <= ZERO + 9) return code - ZERO;
  const letter = (code | 0x20) - 'a'.charCodeAt(0);
  return letter >= 0 && letter < 6 ? 10 + letter : null;
}
