import { refuse, shownBriefly } from './input.js';

const CONTROL = /\p{Cc}/u;
const MOST_LETTERS = 80;

/** True or false. @throws InputInvalid */
export function flag(member: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw refuse(member, `must be true or false; got ${shownBriefly(value)}`);
  return value;
}

/** A name or a word, as people write them. @throws InputInvalid */
export function text(member: string, value: string): string {
  const fits =
    typeof value === 'string' &&
    value.isWellFormed() &&
    !CONTROL.test(value) &&
    value.trim() !== '' &&
    [...value].length <= MOST_LETTERS;
  if (!fits)
    throw refuse(
      member,
      `must be 1 to ${MOST_LETTERS} characters, not blank, without control characters; got ${shownBriefly(value)}`,
    );
  return value;
}
