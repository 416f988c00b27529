import type { Account } from '../account/account.js';
import type { AlarmRecord } from '../alarm/alarm.js';
import type { ShownEndpoint } from '../endpoint/endpoint.js';
import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import type { Approval } from '../strategy/record/approval.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';
import type { CashMoved, EventType, LoggedKey } from './event-log.js';

/** What an event is about, as it was right after the event. */
export type EventData =
  | { readonly kind: 'order'; readonly order: Order; readonly event: OrderEvent }
  | { readonly kind: 'strategy'; readonly strategy: Strategy }
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'cash'; readonly moved: CashMoved }
  | { readonly kind: 'decision'; readonly decision: DecisionRecord }
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'key'; readonly key: LoggedKey }
  | { readonly kind: 'trading'; readonly state: TradingState }
  | { readonly kind: 'alarm'; readonly alarm: AlarmRecord }
  | { readonly kind: 'webhook'; readonly endpoint: ShownEndpoint };

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
