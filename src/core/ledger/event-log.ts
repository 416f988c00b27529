import type { ApiKey } from '../access/api-key.js';
import { type Account, SERVICE, stateOfHalt } from '../account/account.js';
import type { PositionKey } from '../account/position.js';
import type { AlarmRecord } from '../alarm/alarm.js';
import { DomainError } from '../domain-error.js';
import type { RefusedCommand } from '../endpoint/command.js';
import { type ShownEndpoint, WEBHOOK_EVENT_TYPES } from '../endpoint/endpoint.js';
import type { AccountId, DecisionId, OrderId, StrategyId, VenueName } from '../ids.js';
import type { LossRecord } from '../limits/counted.js';
import type { Usdc } from '../money.js';
import type { OrderEvent, OrderEventType } from '../order/event.js';
import { ALLOWED, type OrderStatus } from '../order/lifecycle.js';
import type { Order } from '../order/order.js';
import { statusOf } from '../order/order.js';
import { APPROVAL_STATES, type Approval, type ApprovalState } from '../strategy/record/approval.js';
import type { DecisionRecord } from '../strategy/record/decision-record.js';
import type { Strategy } from '../strategy/strategy.js';
import { isCommon, type TradingState } from '../trading/state.js';
import type { Decision, Snapshot } from './decision.js';

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

const COMMAND_EVENT_TYPES = ['command.refused'] as const;

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
  | (typeof WEBHOOK_EVENT_TYPES)[number]
  | (typeof COMMAND_EVENT_TYPES)[number];

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
  ...COMMAND_EVENT_TYPES,
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

/** The log does not have the events that follow the requested one: they were deleted for their age, or the log is another one. */
export class EventsGone extends DomainError {
  readonly code = 'events_gone';

  /** `first` and `last` are the numbers of the events that the log has. */
  constructor(
    readonly first: number,
    readonly last: number,
  ) {
    super(
      `The log has the events ${first} to ${last}. Read the orders and the portfolio anew, then go on after ${last}.`,
    );
  }
}

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
  /** When it happened: for orders, decisions and approvals on a tape, in the time of the tape. */
  readonly at: Date;
  readonly data: EventData;
}

/** An API key as its account may see it: never with what authenticates. */
export type LoggedKey = Omit<ApiKey, 'digest'>;

/** Cash that was moved by something other than an order, or a reset: `amount` is what came, negative what went. */
export interface CashMoved {
  readonly paper: boolean;
  /** Null on paper. */
  readonly venue: VenueName | null;
  readonly amount: Usdc;
  /** The position whose shares were redeemed for this cash; absent for other cash. */
  readonly redeemed?: Pick<PositionKey, 'marketId' | 'outcome'>;
}

/** What the event itself keeps of what it is about. */
export type KeptSubject =
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'cash'; readonly moved: CashMoved }
  | { readonly kind: 'approval'; readonly approval: Approval }
  | { readonly kind: 'key'; readonly key: LoggedKey }
  | { readonly kind: 'trading'; readonly state: TradingState }
  | { readonly kind: 'losses'; readonly measured: LossRecord }
  | { readonly kind: 'alarm'; readonly alarm: AlarmRecord }
  | { readonly kind: 'webhook'; readonly endpoint: ShownEndpoint }
  | { readonly kind: 'command'; readonly refused: RefusedCommand };

interface Watched {
  /** The last event that those who wait were woken for. */
  head: number;
  readonly wakes: Set<() => void>;
}

/** Who waits for new events in the log of which account. */
export class LogWatchers {
  readonly #watched = new Map<AccountId, Watched>();

  /** The accounts for which a caller waits. */
  get accounts(): readonly AccountId[] {
    return [...this.#watched.keys()];
  }

  /** Calls `wake` whenever the log has grown. The function returned ends it. */
  watch(account: AccountId, wake: () => void): () => void {
    const watched = this.#watched.get(account) ?? { head: 0, wakes: new Set() };
    this.#watched.set(account, watched);
    const own = () => wake();
    watched.wakes.add(own);
    return () => {
      watched.wakes.delete(own);
      if (watched.wakes.size === 0 && this.#watched.get(account) === watched) this.#watched.delete(account);
    };
  }

  /** The log of the account has events up to `head`: wakes those who wait for it, unless they were woken for that event. */
  grown(account: AccountId, head: number): void {
    const watched = this.#watched.get(account);
    if (watched === undefined || head <= watched.head) return;
    watched.head = head;
    for (const wake of watched.wakes) wake();
  }
}

/** The number of the newest of these events, for each account that has one among them. */
export function headsOf(events: readonly AccountEvent[]): ReadonlyMap<AccountId, number> {
  return new Map(events.map(({ account, seq }) => [account, seq]));
}

/** An order that has another status since a write, or was placed by it. */
export interface OrderStep {
  readonly order: Order;
  readonly status: OrderStatus;
  readonly isNew: boolean;
}

/** The changes of a write that a watcher of the store needs. */
export interface DecisionNews {
  readonly orders: readonly OrderStep[];
  readonly decisions: readonly DecisionRecord[];
}

/** Compares a decision with what it was made on; null where it has no news. */
export function newsIn({ orders = [], decisions = [] }: Decision<unknown>, now: Snapshot): DecisionNews | null {
  const steps: OrderStep[] = [];
  for (const order of orders) {
    const [before, status] = [now.order(order.id), statusOf(order)];
    if (before === undefined || statusOf(before) !== status) steps.push({ order, status, isNew: before === undefined });
  }
  return steps.length === 0 && decisions.length === 0 ? null : { orders: steps, decisions };
}

/** A state of trading that was set, kept for ever; `seq` is the number of its event in the log of its account. */
export interface TradingRecord {
  readonly account: AccountId;
  readonly seq: number;
  readonly state: TradingState;
}

/** What an event adds to the history of trading: nothing, unless it is about that. */
export function tradingRecords({ account, seq, type, recordedAt, subject }: AccountEvent): TradingRecord[] {
  if (subject.kind === 'trading')
    return isCommon(subject.state.scope) === (account === SERVICE) ? [{ account, seq, state: subject.state }] : [];
  if (subject.kind !== 'account') return [];
  const { halt } = subject.account;
  if (type === 'account.halted' && halt !== null) return [{ account, seq, state: stateOfHalt(halt) }];
  return type === 'account.released' ? [{ account, seq, state: released(recordedAt) }] : [];
}

function released(since: Date): TradingState {
  const state = { scope: 'account', state: 'active', stops: 'live', reason: 'The halt was released.' } as const;
  return { ...state, by: 'operator', since, until: null, code: null };
}
