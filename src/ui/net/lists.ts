import type {
  WireAlarm,
  WireApproval,
  WireLimitsInUse,
  WireLoggedEvent,
  WireOrder,
  WireStrategy,
  WireTradingNow,
} from '../../adapters/http/answers.js';
import type { Lists, Stops } from '../state/snapshot.js';
import { api, rowsOf } from './api.js';

const MOST_ORDERS = 300;
const LAST_EVENTS = 50;
const WORKING = ['unknown', 'delayed', 'open', 'partially_filled'];

/** What stops trading now. */
export async function readStops(): Promise<Stops> {
  const { data, live_enabled } = await api<WireTradingNow>('/v1/trading/state');
  return { trading: data, liveEnabled: live_enabled };
}

/** Reads everything that events then change: the newest orders and all that work, strategies, approvals and the rest. */
export async function readLists(head: number): Promise<Lists> {
  const [newest, working, strategies, approvals, stops, alarms, limits, events] = await Promise.all([
    rowsOf<WireOrder>('/v1/exchange/orders', MOST_ORDERS),
    Promise.all(WORKING.map((status) => rowsOf<WireOrder>(`/v1/exchange/orders?status=${status}`, 2 * MOST_ORDERS))),
    rowsOf<WireStrategy>('/v1/strategies', 500),
    rowsOf<WireApproval>('/v1/approvals', 200),
    readStops(),
    api<{ data: readonly WireAlarm[] }>('/v1/alarms'),
    api<WireLimitsInUse>('/v1/limits'),
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

async function lastEvents(head: number): Promise<readonly WireLoggedEvent[]> {
  const after = Math.max(0, head - LAST_EVENTS);
  const page = await api<{ data: readonly WireLoggedEvent[] }>(`/v1/events?after=${after}&limit=${LAST_EVENTS}`).catch(
    () => ({
      data: [],
    }),
  );
  return page.data.filter(({ seq }) => Number(seq) <= head).toReversed();
}
