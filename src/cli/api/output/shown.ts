import type { WireWebhook } from '../../../adapters/http/answers.js';

/**
 * What could move the cursor, hide text or turn it round on a terminal. Questions and names come from others, and must not
 * pass for words of this program.
 */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** What stands for nothing. */
export const NOTHING = '–';

/** An untrusted text as one line that is safe to print. */
export const inOneLine = (text: string): string => text.replace(UNSAFE, ' ').trim();

/** A moment of the API in UTC, to the second: the same on every machine, and as the options take it. */
export function momentShown(iso: string | null | undefined): string {
  if (iso === null || iso === undefined) return NOTHING;
  return inOneLine(iso)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z');
}

/** Which money: it is never left to a colour alone. */
export const moneyShown = (paper: boolean): string => (paper ? 'PAPER' : 'LIVE');

/** An outcome by its name and as orders name it. */
export function outcomeShown(token: string, label: string | null): string {
  return label === null || label.toUpperCase() === token ? token : `${label} (${token})`;
}

/** Where a webhook leads: an address, or the chat or topic where a person reads. */
export function destinationShown({ kind, url, chat_id: chat, topic }: WireWebhook): string {
  if (kind === 'telegram') return `telegram ${chat}`;
  return kind === 'ntfy' ? `ntfy ${url?.replace(/\/$/, '')}/${topic}` : `${url}`;
}
