import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Strategy } from '../strategy/strategy.js';
import type { EventType } from './event-log.js';
import type { KeptSubject } from './event-subject.js';

/** What an event is about, as it was right after the event. */
export type EventData =
  | { readonly kind: 'order'; readonly order: Order; readonly event: OrderEvent }
  | { readonly kind: 'strategy'; readonly strategy: Strategy }
  | { readonly kind: 'decision'; readonly decision: DecisionRecord }
  | KeptSubject;

/** One event of an account's log, with what it is about. */
export interface LoggedEvent {
  /** A UUIDv7, the same at every read. */
  readonly id: string;
  /** The place in the account's log: 1, 2, 3 and so on, in the order of commits. */
  readonly seq: number;
  readonly type: EventType;
  /** When it happened: for an order on a tape, in the time of the tape. */
  readonly at: Date;
  readonly data: EventData;
}
