export { PolymarketMarketData, type PolymarketOptions } from './market-data.js';
