/** The longest name or reason in a message, in UTF-16 units. */
const LONGEST = 200;
const FIRST_HALF = [0xd800, 0xdbff] as const;

/** What others wrote, as a part of one line: without line breaks and invisible characters, and not too long. */
export function plainText(text: string): string {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cs}]/gu, '')
    .trim();
  return line.length <= LONGEST ? line : `${cutTo(line, LONGEST - 1)}…`;
}

/** The text up to this length, in UTF-16 units, without half a character at its end. */
export function cutTo(text: string, most: number): string {
  const last = text.charCodeAt(most - 1);
  const splits = most < text.length && last >= FIRST_HALF[0] && last <= FIRST_HALF[1];
  return text.slice(0, splits ? most - 1 : most);
}
