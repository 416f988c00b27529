/**
 * A ledger in this process, gone at its end: the default of `createStakeport`, and what tests use.
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
 */

export { MemoryLedger } from './memory-ledger.js';
