import type { Lists, Stops } from '../state/snapshot.js';
import type {
  AlarmRow,
  ApprovalRow,
  EventRow,
  LimitsInUseRow,
  OrderRow,
  StrategyRow,
  TradingNowRow,
} from '../state/wire.js';
import { api, rowsOf } from './api.js';

const MOST_ORDERS = 300;
const LAST_EVENTS = 50;
const WORKING = ['unknown', 'delayed', 'open', 'partially_filled'];

/** What stops trading now. */
export async function readStops(): Promise<Stops> {
  const { data, live_enabled } = await api<TradingNowRow>('/v1/trading/state');
  return { trading: data, liveEnabled: live_enabled };
}

/** Reads everything that events then change: the newest orders and all that work, strategies, approvals and the rest. */
export async function readLists(head: number): Promise<Lists> {
  const [newest, working, strategies, approvals, stops, alarms, limits, events] = await Promise.all([
    rowsOf<OrderRow>('/v1/exchange/orders', MOST_ORDERS),
    Promise.all(WORKING.map((status) => rowsOf<OrderRow>(`/v1/exchange/orders?status=${status}`, 2 * MOST_ORDERS))),
    rowsOf<StrategyRow>('/v1/strategies', 500),
    rowsOf<ApprovalRow>('/v1/approvals', 200),
    readStops(),
    api<{ data: readonly AlarmRow[] }>('/v1/alarms'),
    api<LimitsInUseRow>('/v1/limits'),
    lastEvents(head),
  ]);
  const { used: _, ...only } = limits;
  return {
    orders: [...working.flat(), ...newest],
    strategies,
    approvals,
    ...stops,
    alarms: alarms.data,
    limits: only,
    events,
  };
}

async function lastEvents(head: number): Promise<readonly EventRow[]> {
  const after = Math.max(0, head - LAST_EVENTS);
  const page = await api<{ data: readonly EventRow[] }>(`/v1/events?after=${after}&limit=${LAST_EVENTS}`).catch(() => ({
    data: [],
  }));
  return page.data.filter(({ seq }) => Number(seq) <= head).toReversed();
}
