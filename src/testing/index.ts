export { type ExchangeCheck, type ExchangeUnderTest, exchangeContract } from './exchange-contract.js';
export { type LedgerCheck, type LedgerUnderTest, ledgerContract } from './ledger-contract.js';
