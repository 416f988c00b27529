import type { WireWebhook } from '../../../adapters/http/answers.js';
import type { VenueName } from '../../../core/ids.js';
import { isDemo } from '../../../core/market/market.js';
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

/** Which money, of an order or a portfolio: it is never left to a colour alone. */
export const moneyShown = ({
  paper,
  environment,
}: {
  readonly paper: boolean;
  readonly environment?: 'demo';
}): string => (paper ? 'PAPER' : environment === 'demo' ? 'PLAY MONEY' : 'LIVE');

/** The same before there is an order, by the venue where that is known. */
export function moneyAtStake(paper: boolean, venue: string | undefined): string {
  if (paper) return 'PAPER';
  return venue !== undefined && isDemo(venue as VenueName) ? 'PLAY MONEY' : 'LIVE: real money';
}

/** An outcome by its name and as orders name it. */
export function outcomeShown(token: string, label: string | null): string {
  return label === null || label.toUpperCase() === token ? token : `${label} (${token})`;
}

/** Where a webhook leads: an address, or the chat or topic where a person reads. */
export function destinationShown({ kind, url, chat_id: chat, topic }: WireWebhook): string {
  if (kind === 'telegram') return `telegram ${chat}`;
  return kind === 'ntfy' ? `ntfy ${url?.replace(/\/$/, '')}/${topic}` : `${url}`;
}
