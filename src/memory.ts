/**
 * What works inside one process: a ledger that is gone at its end, exchanges for paper orders, markets that are none, and
 * the clock, timers, ids and digest of the machine. The defaults of `createStakeport`, and what tests use.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { MemoryLedger } from 'stakeport/memory';
 *
 * const stakeport = createStakeport({ ledger: new MemoryLedger() });
 * ```
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { PaperExchange } from 'stakeport/memory';
 *
 * const stakeport = createStakeport({ paper: new PaperExchange() });
 * ```
 *
 * @example
 * ```ts
 * import type { Ledger, MarketDirectory, RecordReports } from 'stakeport/core';
 * import { BookPaperExchange, systemTimeline } from 'stakeport/memory';
 *
 * declare const ledger: Ledger;
 * declare const markets: MarketDirectory;
 * declare const reports: RecordReports;
 * const sink = async (...report: Parameters<RecordReports['execute']>) => void (await reports.execute(...report));
 * const exchange = new BookPaperExchange({ markets, timeline: systemTimeline, ledger, sink });
 * ```
 *
 * @example
 * ```ts
 * import type { MarketData } from 'stakeport';
 * import { answeringWithin, NoMarketData } from 'stakeport/memory';
 *
 * const source: MarketData = new NoMarketData();
 * const quotes = answeringWithin(2000, source);
 * ```
 *
 * @example
 * ```ts
 * import { sha256, systemClock, uuidV7 } from 'stakeport/memory';
 *
 * console.log(systemClock.now(), uuidV7.next(), sha256('text'));
 * ```
 */

export * from './adapters/market-data/index.js';
export * from './adapters/memory/index.js';
export * from './adapters/paper/index.js';
export * from './adapters/system/index.js';
