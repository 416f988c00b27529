import type { Market } from '../../market/market.js';
import { ONE, type Price } from '../../money.js';
import type { TradingRules } from '../rules/trading-rules.js';
import type { PriceRange } from './price-index.js';

/**
 * Outside of these best offers of what would be bought, the odds bounds of the rules cannot hold: whatever the fee adds to
 * the price, it adds no more than `mostFee`. Inside, the decision tests them exactly.
 */
export function pricesWithin({ minOdds, maxOdds, side }: TradingRules['filter'], market: Market): PriceRange {
  const fee = mostFee(market);
  const dearest = minOdds === null ? ONE : (ONE * ONE) / minOdds;
  const cheapest = maxOdds === null ? 0n : (ONE * ONE) / maxOdds;
  if (side === 'BACK') return { from: (cheapest - fee) as Price, to: dearest as Price };
  // LAY buys the complement for 1 less the price of the outcome that odds are of.
  return { from: (ONE - dearest - fee - 1n) as Price, to: (ONE - cheapest) as Price };
}

/** The most that one share is charged, at any price: the whole rate where the schedule charges regardless of the price. */
export function mostFee({ terms }: Market): bigint {
  const fee = terms?.fee ?? null;
  if (fee === null) return ONE;
  const rate = fee.rate > (fee.makerRate ?? 0n) ? fee.rate : (fee.makerRate ?? 0n);
  return fee.exponent === 0 ? rate + 1n : rate / 4n + 1n;
}
