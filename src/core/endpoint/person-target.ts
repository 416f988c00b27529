import type { AuthScope, Principal } from '../access/principal.js';
import type { MessageTerms } from './message-terms.js';

/** Who may command the account from a chat, with the rights of the credential that let them. */
export interface CommandGrant {
  /** The numbers of Telegram users. */
  readonly users: readonly number[];
  readonly by: string;
  readonly kind: Principal['kind'];
  readonly may: readonly AuthScope[];
}

/** How many may command an account from one chat. */
export const MOST_COMMANDERS = 20;

/** Lets these people command the account with the rights of the caller; null where they are none. */
export const grantOf = (
  users: readonly number[],
  { credential, kind, scopes }: Pick<Principal, 'credential' | 'kind' | 'scopes'>,
): CommandGrant | null => (users.length === 0 ? null : { users, by: credential, kind, may: [...scopes] });

/** A chat of a Telegram bot. */
export interface TelegramTarget {
  readonly kind: 'telegram';
  /** A number, negative for a group, or the `@name` of a channel. */
  readonly chatId: string;
  /** The topic of a group that has topics; null for none. */
  readonly threadId: number | null;
  readonly terms: MessageTerms;
  /** Absent where nobody may command the account from there. */
  readonly commands?: CommandGrant;
}

/** A topic of an ntfy server. */
export interface NtfyTarget {
  readonly kind: 'ntfy';
  /** The address of the server. */
  readonly url: string;
  readonly topic: string;
  readonly terms: MessageTerms;
}

/** Where a person reads messages. */
export type PersonTarget = TelegramTarget | NtfyTarget;
