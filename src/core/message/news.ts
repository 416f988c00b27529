import type { Account } from '../account/account.js';
import type { AlarmRecord } from '../alarm/alarm.js';
import type { CashMoved, EventType, LoggedKey } from '../ledger/event-log.js';
import type { OrderEvent } from '../order/event.js';
import type { Order } from '../order/order.js';
import type { Approval } from '../strategy/record/approval.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Strategy } from '../strategy/strategy.js';
import type { TradingState } from '../trading/state.js';

/** What an event is about, as it was right after the event. */
export type NewsData =
  | { readonly kind: 'order'; readonly order: Order; readonly event: OrderEvent }
  | { readonly kind: 'strategy'; readonly strategy: Strategy }
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'cash'; readonly moved: CashMoved }
  | { readonly kind: 'decision'; readonly decision: DecisionRecord }
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'key'; readonly key: LoggedKey }
  | { readonly kind: 'trading'; readonly state: TradingState }
  | { readonly kind: 'alarm'; readonly alarm: AlarmRecord };

/** An event of the log, with what a person is told of it. */
export interface News {
  readonly seq: number;
  readonly type: EventType;
  readonly data: NewsData;
  /** The strategy that it is about and its version, such as `Home favourites v3`; null where there is none. */
  readonly strategy: string | null;
}

/** The time of day that a person reads, such as `15:10`. */
export type TimeOfDay = (at: Date) => string;
