export { NoMarketData } from './none.js';
