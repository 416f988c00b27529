/**
 * What could move the cursor, hide text or turn it round on a terminal. Questions and names come from others, and must not
 * pass for words of this program.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** An untrusted text as one line that is safe to print. */
export const inOneLine = (text: string): string => text.replace(UNSAFE, ' ').trim();
