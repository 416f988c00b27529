/**
 * The requirements of an exchange, of market data and of a ledger, as checks for any test runner.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { MemoryLedger } from 'stakeport/memory';
 * import { ledgerContract } from 'stakeport/testing';
 *
 * for (const { name, check } of ledgerContract(async () => ({ ledger: new MemoryLedger() }))) {
 *   await check();
 *   console.log('holds', name);
 * }
 * ```
 */

export { type ExchangeCheck, type ExchangeUnderTest, exchangeContract } from './exchange-contract.js';
export { type LedgerCheck, type LedgerUnderTest, ledgerContract } from './ledger-contract.js';
export { type MarketDataCheck, type MarketDataUnderTest, marketDataContract } from './market-data-contract.js';
