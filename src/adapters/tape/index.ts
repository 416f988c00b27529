/**
 * Tapes: a venue's market data, recorded, read, and played back as market data and time together.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { openTape } from 'stakeport/tape';
 *
 * const tape = await openTape('season.jsonl.gz');
 * const stakeport = createStakeport(tape);
 * tape.at(new Date('2026-03-01T12:00:10Z'), async () => {
 *   await stakeport.orders.place({ account: 'me', market: 'home-away', outcome: 'YES', price: 0.6, usdc: 14 });
 * });
 * await tape.play();
 * await stakeport.close();
 * ```
 */

export type { Evidence } from '../../core/market/event.js';
export type { TapeIndex } from './tape-index.js';
export type { TapeHeader, TapeLine, TapeSource } from './tape-line.js';
export { openTape, TapeMarketData, type TapeSpan } from './tape-market-data.js';
export type { MarketState, TapeWatch } from './tape-markets.js';
export { readTape, readTapeHeader, type TapeBlock } from './tape-reader.js';
export { type Recording, type RecordingProgress, recordTape } from './tape-recorder.js';
export type { PlayableTape } from './tape-span.js';
export type { Speed } from './tape-timeline.js';
export { TapeUnreadable } from './tape-unreadable.js';
