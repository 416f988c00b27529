import type { MessageTerms } from './message-terms.js';

/** A chat of a Telegram bot. */
export interface TelegramTarget {
  readonly kind: 'telegram';
  /** A number, negative for a group, or the `@name` of a channel. */
  readonly chatId: string;
  /** The topic of a group that has topics; null for none. */
  readonly threadId: number | null;
  readonly terms: MessageTerms;
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
