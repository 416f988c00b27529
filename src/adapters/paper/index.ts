export { type BookExchangeOptions, BookPaperExchange, LATENCY_MS } from './book-exchange.js';
export { PaperExchange, WHOLE_AT_LIMIT } from './exchange.js';
export { LeasedExchange } from './leased-exchange.js';
