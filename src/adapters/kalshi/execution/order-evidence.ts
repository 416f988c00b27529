import type { Execution, Order } from '../../../core/order/order.js';
import type { Accepted } from '../../../ports/exchange.js';
import { type KalshiFill, type KalshiOrder, priceOfOutcome } from '../http/account-records.js';
import type { KalshiEnvelope } from './envelope.js';

/** One fill of an order of ours as we book it: at the price of its own outcome, with the fee that the venue tells (K7, `kalshi.md` 3). */
export function executionOf({ outcome }: Pick<KalshiEnvelope, 'outcome'>, fill: KalshiFill): Execution {
  return {
    tradeId: fill.tradeId,
    shares: fill.shares,
    price: priceOfOutcome(outcome, fill.yesPrice),
    fee: fill.fee,
    liquidity: fill.isTaker ? 'TAKER' : 'MAKER',
    confirmed: true,
    model: null,
  };
}

/** True where the venue shows another order under the identity of this one. */
export const isOtherOrder = (order: Order, own: KalshiEnvelope, shown: KalshiOrder): boolean =>
  shown.ticker !== own.ticker ||
  shown.bookSide !== own.bookSide ||
  shown.yesPrice !== own.yesPrice ||
  shown.initial !== order.intent.shares;

/**
 * What the venue shows of an order with these fills of it. Reads lag behind each other: while the fills do not add up to what the order
 * shows, its rest counts as open, so that it is looked at again (K5).
 */
export function shownAs(own: KalshiEnvelope, shown: KalshiOrder, fills: readonly KalshiFill[]): Accepted {
  const executions = fills.filter(({ orderId }) => orderId === shown.orderId).map((fill) => executionOf(own, fill));
  const filled = executions.reduce((sum, { shares }) => sum + shares, 0n);
  const isWhole = filled >= shown.filled;
  return {
    kind: 'accepted',
    venueOrderId: own.clientOrderId,
    venueReference: shown.orderId,
    executions,
    failed: [],
    rest: isWhole ? REST[shown.status] : 'open',
  };
}

const REST = { resting: 'open', canceled: 'cancelled', executed: 'none', unknown: 'open' } as const;
