import type { Exchange } from '../../../ports/exchange.js';
import type { Limits } from '../../limits/limits.js';
import { riskGroupOf } from '../../limits/risk.js';
import type { Market } from '../../market/market.js';
import type { Usdc } from '../../money.js';
import { recordStatusReport } from '../../posting/outcome.js';
import type { Posting } from '../../posting/posting.js';

/** What is counted of an order that is accepted. */
export interface CountedOrder {
  readonly limits: Limits | undefined;
  /** What trading brought its strategy until now; null where that was not measured. */
  readonly gain: Usdc | null;
}

/** Reserves the money; an exchange in this process decides at once. */
export function beginOrder(posting: Posting, exchange: Exchange | null, market: Market, counted: CountedOrder): void {
  const { books, order } = posting;
  books.belongsTo(riskGroupOf(market));
  if (typeof counted.limits?.ordersPerMinute === 'number') books.countOrder();
  posting.reserve(order.intent.side === 'BUY' ? books.countBet(counted.gain) : null);
  const result = exchange?.local?.place(posting.order) ?? null;
  if (result !== null) recordStatusReport(posting, result);
}
