/**
 * Kalshi, for what reads its markets from files.
 *
 * @packageDocumentation
 */

export { archivedKalshiMarkets } from './market-data/archived-markets.js';
