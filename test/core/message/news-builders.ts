import type { AlarmRecord } from '../../../src/core/alarm/alarm.js';
import type { MarketId } from '../../../src/core/ids.js';
import type { News } from '../../../src/core/message/interest.js';
import type { OrderChange } from '../../../src/core/order/event.js';
import type { Execution } from '../../../src/core/order/order.js';
import { fillOf, moneyOf, NO_BASIS } from '../../../src/core/order/order.js';
import type { DraftChanges } from '../../support/builders.js';
import { anExecution, anOrderDraft, History, NOON, price, shares, usdc } from '../../support/builders.js';

export const FAVOURITES = 'Home favourites v3';
export const clock = (at: Date): string => at.toISOString().slice(11, 16);

let seq = 0;

/** The order of the issue: 20 dollars for Arsenal at 0.57. */
export const arsenal = (changes: DraftChanges = {}): History =>
  new History(anOrderDraft({ marketId: 'Arsenal' as MarketId, price: price('0.57'), size: usdc('20'), ...changes }));

/** The news in the last event of an order. */
export function newsOf(history: History, strategy: string | null = FAVOURITES): News {
  const event = history.events.at(-1);
  if (event === undefined) throw new Error('nothing happened');
  seq += 1;
  return { seq, type: `order.${event.change.type}`, data: { kind: 'order', order: history.order, event }, strategy };
}

/** The order after one more event, as news. */
export const becoming = (history: History, change: OrderChange): News => newsOf(history.add(change));

/** One more fill, as news. */
export function filled(history: History, changes: Partial<Execution> = {}): News {
  if (history.order.venueOrderId === null)
    history.add({ type: 'submitting' }, { type: 'accepted', venueOrderId: 'v', delayed: false });
  const execution = anExecution({ shares: history.order.intent.shares, price: price('0.57'), ...changes });
  return becoming(history, { type: 'fill', fill: fillOf(execution, moneyOf(history.order, execution), NO_BASIS) });
}

/** Some other event. */
export function happened(type: News['type'], data: News['data'], strategy: string | null = null): News {
  seq += 1;
  return { seq, type, data, strategy };
}

export const anAlarm = (changes: Partial<AlarmRecord> = {}): AlarmRecord => ({
  kind: 'feed_stale',
  subject: '',
  detail: 'No book for a minute.',
  since: new Date(NOON),
  until: null,
  ...changes,
});

export { shares };
