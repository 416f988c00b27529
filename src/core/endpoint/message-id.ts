import type { Digest } from '../../ports/system.js';
import type { AccountId } from '../ids.js';

const HASH_DIGITS = 16;
const DIGITS = '0123456789abcdef';

/** The id of the message about an event: the same at every try, at every endpoint, and unlike that of any other account. */
export const webhookMessageId = (account: AccountId, seq: number, digest: Digest): string =>
  `evt_${digest(account).slice(0, HASH_DIGITS)}_${seq}`;

/** A number from 0 to 99 that looks like chance: another one for each text. */
export function chanceOf(text: string, digest: Digest): number {
  const digits = digest(text);
  return DIGITS.indexOf(digits.charAt(0)) * 6 + (DIGITS.indexOf(digits.charAt(1)) % 10);
}
