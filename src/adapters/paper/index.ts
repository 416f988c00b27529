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
 *
 * @example
 * ```ts
 * import type { Ledger, MarketDirectory, RecordReports } from 'stakeport/core';
 * import { BookPaperExchange } from 'stakeport/paper';
 * import { systemTimeline } from 'stakeport/system';
 *
 * declare const ledger: Ledger;
 * declare const markets: MarketDirectory;
 * declare const reports: RecordReports;
 * const sink = async (...report: Parameters<RecordReports['execute']>) => void (await reports.execute(...report));
 * const exchange = new BookPaperExchange({ markets, timeline: systemTimeline, ledger, sink });
 * ```
 */

export { type BookExchangeOptions, BookPaperExchange, LATENCY_MS } from './book-paper-exchange.js';
export { LeasedExchange } from './leased-exchange.js';
export { PaperExchange, WHOLE_AT_LIMIT } from './paper-exchange.js';
