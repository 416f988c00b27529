export { type ExchangeCheck, type ExchangeUnderTest, exchangeContract } from './exchange-contract.js';
