import type { MarketId } from '../../../core/ids.js';
import type { Order } from '../../../core/order/order.js';
import type { OrderStatusReport, Unknown } from '../../../ports/exchange.js';
import type { MassStatus, NamedOrder } from '../../../ports/venue-adapter.js';
import { type Alarm, unknown } from '../../venue/order-results.js';
import type { KalshiFill, KalshiOrder } from '../http/account-records.js';
import type { KalshiClient } from '../http/kalshi-client.js';
import { kalshiEnvelopeIn } from './envelope.js';
import { isOtherOrder, shownAs } from './order-evidence.js';

/** The dependencies of a mass status. */
export interface KalshiMassStatusOptions {
  readonly client: Pick<KalshiClient, 'orders' | 'fills'>;
  readonly alarm: Alarm;
  /** Looks up a single order. */
  find(order: Order): Promise<OrderStatusReport>;
}

/** The venue counts whole seconds, and its reads lag behind its writes. */
const MARGIN_MS = 60_000;

/**
 * Every resting order of the account, every order since that moment, then every fill since, so that fills between the reads are seen. Unknown
 * when a list was not read to its end.
 */
export async function kalshiMassStatus(options: KalshiMassStatusOptions, since: Date): Promise<MassStatus | Unknown> {
  const { client, alarm } = options;
  const from = new Date(since.getTime() - MARGIN_MS);
  const resting = await client.orders({ status: 'resting' });
  const recent = await client.orders({ since: from });
  const fills = await client.fills({ since: from });
  for (const list of [resting, recent, fills]) {
    if (list.kind === 'no_answer') return unknown(`The venue did not return its orders and fills (${list.reason}).`);
    if (!list.complete && list.unreadable === 0)
      return unknown('The venue did not return all of its orders and fills.');
  }
  if (resting.kind !== 'ok' || recent.kind !== 'ok' || fills.kind !== 'ok') return unknown('');
  const unreadable = resting.unreadable + recent.unreadable + fills.unreadable;
  if (unreadable > 0) alarm('a record of the account cannot be read', '');
  // The later list tells the newer state of an order that is in both.
  const orders = new Map([...resting.items, ...recent.items].map((order) => [order.orderId, order]));
  const unread = unreadable === 0 ? null : `${unreadable} orders or fills of the account cannot be read`;
  return massStatus(options, [...orders.values()], fills.items, unread);
}

/** What these orders and fills show. */
export function massStatus(
  options: Omit<KalshiMassStatusOptions, 'client'>,
  orders: readonly KalshiOrder[],
  fills: readonly KalshiFill[],
  unread: string | null,
): MassStatus {
  const byIdentity = new Map(orders.map((order) => [order.clientOrderId, order]));
  return {
    kind: 'mass_status',
    unread,
    named: orders.map(namedOf),
    reportOf: async (order) => {
      const own = kalshiEnvelopeIn(order);
      const shown = own === null ? undefined : byIdentity.get(own.clientOrderId);
      if (own === null || shown === undefined || isOtherOrder(order, own, shown)) return options.find(order);
      const report = shownAs(own, shown, fills);
      // Fills from before the reads began are not in the list: the order is looked up with all of its own.
      const isWhole = report.executions.reduce((sum, { shares }) => sum + shares, 0n) >= shown.filled;
      return isWhole ? report : options.find(order);
    },
  };
}

/** An order as the venue shows it: of the first outcome, since nothing says for which one it was meant. */
function namedOf(order: KalshiOrder): NamedOrder {
  return {
    venueOrderId: order.clientOrderId === '' ? order.orderId : order.clientOrderId,
    marketId: order.ticker as MarketId,
    tokenId: `${order.ticker}:YES`,
    side: order.bookSide === 'bid' ? 'BUY' : 'SELL',
    price: order.yesPrice,
    shares: order.initial,
    resting: order.status === 'resting',
  };
}
