import type { Digest } from '../../ports/system.js';
import type { AccountId } from '../ids.js';

const HASH_DIGITS = 16;

/** The id of the message about an event: the same at every try, at every endpoint, and unlike that of any other account. */
export const webhookMessageId = (account: AccountId, seq: number, digest: Digest): string =>
  `evt_${digest(account).slice(0, HASH_DIGITS)}_${seq}`;
