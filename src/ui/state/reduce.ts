import type { WireAlarm, WireApproval, WireLoggedEvent, WireOrder } from '../../adapters/http/answers.js';
import type { Knowledge } from './snapshot.js';
import { afterHalt, afterTrading } from './stops.js';

/** The most orders, approvals and events that a page keeps in memory; whatever works or waits stays beyond that. */
const MOST_ROWS = 1000;
const MOST_EVENTS = 100;

/** The statuses in which an order may still trade; in `unknown` the venue has not said so. */
export const RESTING: readonly WireOrder['status'][] = ['pending', 'unknown', 'delayed', 'open', 'partially_filled'];

/** Whether an order may still trade. */
export const isResting = ({ status }: Pick<WireOrder, 'status'>): boolean => RESTING.includes(status);

/** Whether a bet waits for a person. */
export const isWaiting = ({ state }: Pick<WireApproval, 'state'>): boolean => state === 'waiting';

/** The bets of a strategy that wait for a person. */
export const waitingOf = (approvals: Knowledge['approvals'], strategyId: string): readonly WireApproval[] =>
  [...approvals.values()].filter((one) => isWaiting(one) && one.decision.strategy_id === strategyId);

/** What is known after these events, which follow each other in the log. Those that are known already change nothing. */
export function reduce(before: Knowledge, events: readonly WireLoggedEvent[]): Knowledge {
  const news = events.filter(({ seq }) => Number(seq) > before.head);
  const last = news.at(-1);
  if (last === undefined) return before;
  const now = {
    orders: new Map(before.orders),
    strategies: new Map(before.strategies),
    approvals: new Map(before.approvals),
    trading: before.trading,
    liveEnabled: before.liveEnabled,
    alarms: before.alarms,
    limits: before.limits,
  };
  for (const event of news) take(now, event);
  const dropped = trim(now.orders, isResting);
  trim(now.approvals, isWaiting);
  const shown = [...news.slice(-MOST_EVENTS).reverse(), ...before.events].slice(0, MOST_EVENTS);
  const ordersSince = dropped.at(-1)?.placed_at ?? before.ordersSince;
  return { ...now, ordersSince, head: Number(last.seq), events: shown };
}

interface Draft extends Pick<Knowledge, 'trading' | 'liveEnabled' | 'alarms' | 'limits'> {
  readonly orders: Map<string, WireOrder>;
  readonly strategies: Map<string, Knowledge['strategies'] extends ReadonlyMap<string, infer Row> ? Row : never>;
  readonly approvals: Map<string, WireApproval>;
  trading: Knowledge['trading'];
  liveEnabled: Knowledge['liveEnabled'];
  alarms: Knowledge['alarms'];
  limits: Knowledge['limits'];
}

function take(now: Draft, { type, data }: WireLoggedEvent): void {
  const { order, strategy, approval, trading, account, alarm } = data;
  if (order !== undefined) now.orders.set(order.id, order);
  if (approval !== undefined) now.approvals.set(approval.id, approval);
  if (strategy !== undefined) {
    if (strategy.archived_at === null) now.strategies.set(strategy.id, strategy);
    else now.strategies.delete(strategy.id);
  }
  if (trading !== undefined) now.trading = afterTrading(now.trading, trading);
  if (account !== undefined) now.liveEnabled = account.live_enabled;
  if (account?.limits !== undefined) now.limits = account.limits;
  if (type === 'account.halted' || type === 'account.released')
    now.trading = afterHalt(now.trading, account?.halt ?? null);
  if (alarm !== undefined) now.alarms = afterAlarm(now.alarms, type, alarm);
}

function afterAlarm(alarms: readonly WireAlarm[], type: string, alarm: WireAlarm): readonly WireAlarm[] {
  const others = alarms.filter(({ kind, subject }) => kind !== alarm.kind || subject !== alarm.subject);
  return type === 'alarm.raised' ? [...others, alarm] : others;
}

/** Drops the oldest that are over, and returns them, oldest first. Ids rise with time. */
function trim<Row extends { readonly id: string }>(
  rows: Map<string, Row>,
  stays: (row: Row) => boolean,
): readonly Row[] {
  if (rows.size <= MOST_ROWS) return [];
  const over = [...rows.values()].filter((row) => !stays(row)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const dropped = over.slice(0, rows.size - MOST_ROWS);
  for (const { id } of dropped) rows.delete(id);
  return dropped;
}
