import { WEBHOOK_EVENT_TYPES } from '../endpoint/endpoint-events.js';
import type { AccountId, DecisionId, OrderId, StrategyId } from '../ids.js';
import type { OrderEventType } from '../order/event.js';
import { ALLOWED } from '../order/lifecycle.js';
import { APPROVAL_STATES, type ApprovalState } from '../strategy/record/approval.js';
import type { KeptSubject } from './event-subject.js';

const ORDER_EVENT_TYPES: readonly OrderEventType[] = [
  'requested',
  ...(Object.keys(ALLOWED) as (keyof typeof ALLOWED)[]),
];

const STRATEGY_EVENT_TYPES = [
  'strategy.created',
  'strategy.changed',
  'strategy.paused',
  'strategy.resumed',
  'strategy.archived',
] as const;

const ACCOUNT_EVENT_TYPES = [
  'account.live_allowed',
  'account.live_disallowed',
  'account.halted',
  'account.released',
  'account.limits_changed',
] as const;

const CASH_EVENT_TYPES = ['cash.deposited', 'cash.withdrawn', 'cash.redeemed', 'cash.reset'] as const;

const DECISION_EVENT_TYPES = ['decision.bet', 'decision.exit'] as const;

const KEY_EVENT_TYPES = ['key.created', 'key.revoked'] as const;

const TRADING_EVENT_TYPES = ['trading.state'] as const;

const LOSS_EVENT_TYPES = ['losses.measured'] as const;

const ALARM_EVENT_TYPES = ['alarm.raised', 'alarm.cleared'] as const;

/** What an event of the log says happened. */
export type EventType =
  | `order.${OrderEventType}`
  | (typeof STRATEGY_EVENT_TYPES)[number]
  | (typeof ACCOUNT_EVENT_TYPES)[number]
  | (typeof CASH_EVENT_TYPES)[number]
  | (typeof DECISION_EVENT_TYPES)[number]
  | `approval.${ApprovalState}`
  | (typeof KEY_EVENT_TYPES)[number]
  | (typeof TRADING_EVENT_TYPES)[number]
  | (typeof LOSS_EVENT_TYPES)[number]
  | (typeof ALARM_EVENT_TYPES)[number]
  | (typeof WEBHOOK_EVENT_TYPES)[number];

/** Every kind of event that a log can have. */
export const EVENT_TYPES: readonly EventType[] = [
  ...ORDER_EVENT_TYPES.map((type) => `order.${type}` as const),
  ...STRATEGY_EVENT_TYPES,
  ...ACCOUNT_EVENT_TYPES,
  ...CASH_EVENT_TYPES,
  ...DECISION_EVENT_TYPES,
  ...APPROVAL_STATES.map((state) => `approval.${state}` as const),
  ...KEY_EVENT_TYPES,
  ...TRADING_EVENT_TYPES,
  ...LOSS_EVENT_TYPES,
  ...ALARM_EVENT_TYPES,
  ...WEBHOOK_EVENT_TYPES,
];

/** What an event is about. Orders and strategies are named with the number of their event or version, and kept elsewhere. */
export type EventSubject =
  | { readonly kind: 'order'; readonly id: OrderId; readonly seq: number }
  | { readonly kind: 'strategy'; readonly id: StrategyId; readonly version: number }
  | { readonly kind: 'decision'; readonly id: DecisionId }
  | KeptSubject;

/**
 * One event of an account's log. `seq` counts the events of the account from 1 in the order of their commits, without
 * holes: a reader that knows the last one it saw misses none.
 */
export interface AccountEvent {
  readonly account: AccountId;
  readonly seq: number;
  readonly type: EventType;
  /** When it was recorded, by the clock of the machine. */
  readonly recordedAt: Date;
  readonly subject: EventSubject;
}

/** An event before its place in the log is known. */
export type NewEvent = Pick<AccountEvent, 'account' | 'type' | 'subject'>;
