/**
 * What stands in where there is no market data, and what bounds the time that a source takes.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import type { MarketData } from 'stakeport';
 * import { answeringWithin, NoMarketData } from 'stakeport/market-data';
 *
 * const source: MarketData = new NoMarketData();
 * const quotes = answeringWithin(2000, source);
 * ```
 */

export { answeringWithin } from './answering-within.js';
export { NoMarketData } from './none.js';
