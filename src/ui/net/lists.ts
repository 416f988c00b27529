import type { Lists } from '../state/snapshot.js';
import type {
  AlarmRow,
  ApprovalRow,
  EventRow,
  LimitsInUseRow,
  OrderRow,
  StrategyRow,
  TradingRow,
} from '../state/wire.js';
import { api, rowsOf } from './api.js';

const MOST_ORDERS = 300;
const LAST_EVENTS = 50;
const WORKING = ['unknown', 'delayed', 'open', 'partially_filled'];

/** What stops trading now. */
export const readTrading = async (): Promise<readonly TradingRow[]> =>
  (await api<{ data: readonly TradingRow[] }>('/v1/trading/state')).data;

/** Reads everything that events then change: the newest orders and all that work, strategies, approvals and the rest. */
export async function readLists(head: number): Promise<Lists> {
  const [newest, working, strategies, approvals, trading, alarms, limits, events] = await Promise.all([
    rowsOf<OrderRow>('/v1/exchange/orders', MOST_ORDERS),
    Promise.all(WORKING.map((status) => rowsOf<OrderRow>(`/v1/exchange/orders?status=${status}`, 2 * MOST_ORDERS))),
    rowsOf<StrategyRow>('/v1/strategies', 500),
    rowsOf<ApprovalRow>('/v1/approvals', 200),
    readTrading(),
    api<{ data: readonly AlarmRow[] }>('/v1/alarms'),
    api<LimitsInUseRow>('/v1/limits'),
    lastEvents(head),
  ]);
  const { used: _, ...only } = limits;
  return {
    orders: [...working.flat(), ...newest],
    strategies,
    approvals,
    trading,
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
