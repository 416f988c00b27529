export { answeringWithin } from './answering-within.js';
export { NoMarketData } from './none.js';
