export { answeringWithin } from './answering-within.js';
export { NoMarketData, nothingToRead } from './none.js';
