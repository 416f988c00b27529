/**
 * The stand-in for missing market data, and a time limit for the answers of a source.
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

export { answeringWithin, type NamedMarkets } from './answering-within.js';
export { NoMarketData } from './no-market-data.js';
