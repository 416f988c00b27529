/**
 * Exchanges for paper orders: one that fills completely at the limit, and one that simulates the venue on its books.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { PaperExchange } from 'stakeport/paper';
 *
 * const stakeport = createStakeport({ paper: new PaperExchange() });
 * ```
 */

export { type BookExchangeOptions, BookPaperExchange, LATENCY_MS } from './book-exchange.js';
export { PaperExchange, WHOLE_AT_LIMIT } from './exchange.js';
export { LeasedExchange } from './leased-exchange.js';
