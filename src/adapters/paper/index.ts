export { type BookExchangeOptions, BookPaperExchange, LATENCY_MS } from './book-paper-exchange.js';
export { LeasedExchange } from './leased-exchange.js';
export { PaperExchange, WHOLE_AT_LIMIT } from './paper-exchange.js';
