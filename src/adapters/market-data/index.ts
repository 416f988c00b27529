export { answeringWithin, type NamedMarkets } from './answering-within.js';
export { NoMarketData } from './no-market-data.js';
