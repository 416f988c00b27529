import type { VenueName } from '../../core/ids.js';
import { NO_VENUE } from '../../core/market/venue.js';
import { decodeChange } from '../../core/order/change-codec.js';
import type { OrderChange } from '../../core/order/event.js';
import type { Intent } from '../../core/order/intent.js';

const FIRST_VENUE = 'polymarket' as VenueName;

/**
 * Reads a change as it was stored. An order from before venues had names is at the only one that there was, where its market
 * had a condition id or its money was real, as in its row; the text that was hashed stays as it is.
 */
export function storedChange(text: string): OrderChange {
  const change = decodeChange(text);
  if (change.type !== 'requested') return change;
  const intent: { venue?: VenueName } & Pick<Intent, 'conditionId' | 'paper'> = change.intent;
  intent.venue ??= intent.conditionId === null && intent.paper ? NO_VENUE : FIRST_VENUE;
  return change;
}
