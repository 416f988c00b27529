import { BY_OPERATOR } from '../account/account.js';
import { ALARM_MEANINGS } from '../alarm/meanings.js';
import type { EventData, EventType, LoggedEvent } from '../ledger/event-log.js';

/** The kinds of events that a person is notified of unless they choose others. */
export const NEWS_TYPES: readonly EventType[] = [
  'order.fill',
  'order.fill_voided',
  'order.settled',
  'order.amended',
  'order.denied',
  'order.rejected',
  'approval.waiting',
  'account.halted',
  'account.released',
  'trading.state',
  'alarm.raised',
  'alarm.cleared',
  'cash.deposited',
  'cash.withdrawn',
  'cash.redeemed',
];

/** Whether a person is notified of it. `types` are those that they chose; empty for the default selection. */
export function isOfInterest(news: News, types: readonly EventType[]): boolean {
  if (types.length > 0) return types.includes(news.type);
  return NEWS_TYPES.includes(news.type) && !isReportedOtherwise(news);
}

/** True of refusals on paper, which are many and harmless, and of what the service stops by itself, which an alarm reports. */
function isReportedOtherwise({ type, data }: News): boolean {
  if (type === 'order.denied' || type === 'order.rejected') return data.kind === 'order' && data.order.intent.paper;
  if (data.kind === 'trading') return data.state.by === 'service' && data.state.state !== 'active';
  return type === 'account.halted' && data.kind === 'account' && data.account.halt?.code !== BY_OPERATOR;
}

/** True of what a person wants to be woken for: a halt, and what an alarm says is urgent. */
export function isUrgent({ type, data }: News): boolean {
  if (type === 'account.halted') return true;
  if (data.kind === 'trading') return data.state.state === 'halted';
  return type === 'alarm.raised' && data.kind === 'alarm' && ALARM_MEANINGS[data.alarm.kind].isUrgent;
}

/** What an event is about, as it was right after the event. */
export type NewsData = EventData;

/** An event of the log, with what a message to a person needs beside it. */
export interface News extends Pick<LoggedEvent, 'seq' | 'type' | 'data'> {
  /** The strategy that it is about and its version, such as `Home favourites v3`; null where there is none. */
  readonly strategy: string | null;
}

/** The time of day that a person reads, such as `15:10`. */
export type TimeOfDay = (at: Date) => string;
