import type { WireWebhook } from '../../../adapters/http/answers.js';
import { inOneLine } from '../../../core/one-line.js';

/** What stands for nothing. */
export const NOTHING = '–';

/** A moment in UTC, to the second: the same on every machine, and as the options take it. */
export function momentShown(at: Date | string | null | undefined): string {
  if (at === null || at === undefined) return NOTHING;
  return inOneLine(typeof at === 'string' ? at : at.toISOString())
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
